"""What a record says as a run goes."""

from records.attempt import begin, note, succeed
from records.run_folder import RunFolder


def test_a_note_is_said_and_kept_beside_what_was_left_out_of_the_data(tmp_path):
    told = []
    folder = RunFolder(tmp_path / "run", told.append)
    folder.path.mkdir()
    begin(folder, {})
    note(folder, "statistics are local")
    succeed(folder, {}, {}, ["2 images skipped"])
    assert told == ["run: statistics are local."]
    assert folder.read()["notes"] == ["2 images skipped", "statistics are local"]
