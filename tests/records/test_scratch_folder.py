"""What killed writers of folders leave."""

import os
import signal

from datamodules.standin import standin_folder
from records.scratch_folder import scratch_folder, writer_lock


def write(root, kill=False):
    (root / "images").mkdir()
    (root / "images" / "1.png").write_bytes(b"half")
    if kill:
        os.kill(os.getpid(), signal.SIGKILL)


def write_and_die(root):
    write(root, kill=True)


def killed(function, *arguments):
    child = os.fork()
    if child == 0:
        function(*arguments)
        os._exit(0)
    assert os.WIFSIGNALED(os.waitpid(child, 0)[1])


def test_a_killed_writer_of_a_standin_leaves_nothing_after_the_next_start(tmp_path):
    killed(standin_folder, tmp_path, "mnist", write_and_die)
    assert list(tmp_path.glob("standins/.*.scratch"))
    folder = standin_folder(tmp_path, "cifar10", write)  # another data set sweeps it too
    assert [path.name for path in (tmp_path / "standins").iterdir() if path.is_dir()] == [
        folder.name
    ]


def test_a_writer_that_lives_keeps_its_folder(tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    with writer_lock(one), scratch_folder(one) as mine, writer_lock(other), scratch_folder(other):
        assert mine.exists()
    assert list(tmp_path.iterdir()) == []
