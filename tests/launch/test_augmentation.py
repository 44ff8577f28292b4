"""Augmented images are a function of (seed, epoch, batch): a killed run sees the same again."""

from .test_survival import LONG, assert_same_run, wait_for_progress


def test_a_killed_run_goes_on_with_the_same_images(launch, tmp_path):
    long = (*LONG, "epochs=30", "augmentation=standard", "augmentation.noise=0.1")
    assert launch(*long, "name=whole", small=False) == 0
    whole = launch.run("whole")
    process = launch.start(*long, "name=killed", small=False, pause=10)
    wait_for_progress(process, tmp_path / "runs" / "killed" / whole.path.name)
    process.kill()
    process.wait()
    assert launch(*long, "name=killed", small=False) == 0
    assert_same_run(launch.run("killed"), whole)
    assert len(launch.run("killed").read()["sessions"]) == 2
