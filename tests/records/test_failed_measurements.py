from records.attempt import begin
from records.failed_measurements import FAILED, add_failure, remove_failure
from records.run_folder import RunFolder


def test_what_fails_again_keeps_its_place(tmp_path):
    folder = RunFolder(tmp_path / "run")
    folder.path.mkdir()
    with folder.lock():
        begin(folder, {})
        add_failure(folder, "fgsm", 0, False, "failed at 0")
        add_failure(folder, "fgsm", 1, False, "failed at 1")
        folder.note("a remark")
        add_failure(folder, "fgsm", 2, True, "failed at 2")
        before = folder.read()
        for epoch in (0, 2):
            add_failure(folder, "fgsm", epoch, epoch == 2, f"failed at {epoch}")
        assert folder.read() == before
        add_failure(folder, "fgsm", 0, False, "failed otherwise")
        assert folder.read()["notes"] == [
            "failed otherwise", "failed at 1", "a remark", "failed at 2",
        ]  # fmt: skip
        assert [one["note"] for one in folder.read()[FAILED]] == [
            "failed otherwise", "failed at 1", "failed at 2",
        ]  # fmt: skip
        remove_failure(folder, "fgsm", 1)
        assert folder.read()["notes"] == ["failed otherwise", "a remark", "failed at 2"]
