"""Killed at what a command does to its files, point by point, then resumed.

Every open for writing, write, truncation, flush, rename, unlink and mkdir below the run folders and
the cache is a point; larger set-ups take each second or third (`every`). After each kill the same
command must end with the same numbers, notes, arrays and W&B rows as one that was never killed.
"""

import shutil

import pytest

from tests.conftest import KILLS
from tests.reliability.killed_runs import Left, Server, SetUp, copied, leftovers

PARTS = 4  # of every set-up, so that processes can share them
FINISHED = SetUp(("callbacks=economy",))
# at moments whose weights are kept, so that the measurement can be taken again
RETAKEN = ("callbacks=fgsm_penalty", "probes.schedule=start_end")
FAILED = SetUp(RETAKEN, fails=True, code=3)
WARM = (SetUp(("callbacks=none", "seed=9", "name=warm")),)  # fills the cache
SET_UPS = {
    "cold cache": FINISHED,
    "stand-in": SetUp(("data=mnist", "standin=true", "callbacks=none"), every=2),
    "resume=never": SetUp(("callbacks=economy",), before=(FINISHED,), kill_only=("resume=never",)),
    "arrays": SetUp(("callbacks=velocity",), before=WARM, every=2),
    "failing probe": SetUp(("callbacks=fgsm_penalty",), before=WARM, fails=True, code=3),
    "measure again": SetUp(RETAKEN, before=(FAILED,)),
    "best network": SetUp(
        ("callbacks=none", "data.validation=10", "stop=early", "stop.patience=1", "select=best"),
        before=WARM,
    ),
    "sweep": SetUp(("-m", "seed=0,1", "callbacks=none"), before=WARM, every=2),
    "two processes": SetUp(("trainer=ddp_cpu", "callbacks=none"), before=WARM, every=2),
    "W&B offline": SetUp(("logger=wandb", "callbacks=none"), before=WARM, every=3),
    "diverged": SetUp(("optimizer.lr=1e30", "callbacks=none"), before=WARM, code=3, every=2),
}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    if shutil.which("gcc") is None:
        pytest.skip("kill points are found by a library that gcc compiles")
    server = Server(tmp_path_factory.mktemp("server"))
    yield server
    server.close()


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", SET_UPS)
def test_every_kill_point_is_resumed_to_the_same_end(server, tmp_path, record_property, name, part):
    set_up = SET_UPS[name]
    template = tmp_path / "template"
    template.mkdir()
    for earlier in set_up.before:
        assert server.launch(template, earlier)[0] == earlier.code, server.log.read_text()
    whole = copied(template, tmp_path / "whole")
    code, _ = server.launch(whole, set_up)
    assert code == set_up.code, server.log.read_text()
    expected, points = Left.of(whole), count_points(server, template, tmp_path / "counted", set_up)

    kills = 0
    for point in range(1 + part * set_up.every, points + 1, PARTS * set_up.every):
        # one name, so that one plan serves; W&B's own process may still write to the last one's
        number = f" {point}" if "logger=wandb" in set_up.words else ""
        home = copied(template, tmp_path / f"killed{number}")
        killed, _ = server.launch(home, set_up, kill_at=point)
        assert killed in (-9, set_up.code), server.log.read_text()
        kills += killed == -9
        code, _ = server.launch(home, set_up)
        where = f"{name}, point {point}: {server.log.read_text()}"
        assert code == set_up.code, where
        assert Left.of(home) == expected, where
        assert leftovers(home) == [], where
        shutil.rmtree(home, ignore_errors=bool(number))
    assert kills
    record_property(KILLS, (name, kills))  # `pytest` prints their sum


def count_points(server, template, home, set_up):
    """How many points the command has that is to be killed: it is killed beyond the last."""
    copied(template, home)
    code, points = server.launch(home, set_up, kill_at=10**9)
    assert code == set_up.code, server.log.read_text()
    return points


@pytest.mark.slow
def test_the_set_ups_have_a_thousand_points(server, tmp_path):
    total = 0
    for number, set_up in enumerate(SET_UPS.values()):
        template = tmp_path / str(number)
        template.mkdir()
        for earlier in set_up.before:
            server.launch(template, earlier)
        points = count_points(server, template, tmp_path / f"counted {number}", set_up)
        total += len(range(1, points + 1, set_up.every))
    assert total >= 1000
