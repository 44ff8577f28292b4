"""What a record says as a run goes."""

from records.attempt import begin, note, succeed
from records.run_folder import RunFolder


def test_a_note_is_logged_and_kept_beside_what_was_left_out_of_the_data(tmp_path, caplog):
    caplog.set_level("INFO")
    folder = RunFolder(tmp_path / "run")
    folder.path.mkdir()
    begin(folder, {})
    note(folder, "statistics are local")
    succeed(folder, {}, {}, ["2 images skipped"])
    assert caplog.messages == ["run: statistics are local"]
    assert folder.read()["notes"] == ["2 images skipped", "statistics are local"]
