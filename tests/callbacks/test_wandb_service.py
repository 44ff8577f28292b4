"""W&B's service is started in the background; whatever goes wrong there is left to `wandb.init`."""

import sys
import threading

import pytest
import wandb

from callbacks.wandb_service import start_wandb_service


@pytest.fixture
def reported(monkeypatch):
    """Exceptions that a thread would print."""
    found = []
    monkeypatch.setattr(threading, "excepthook", found.append)
    return found


def join():
    for thread in threading.enumerate():
        if thread.name == "wandb.setup":
            thread.join()


def test_it_returns_before_the_service_answers(monkeypatch):
    asked, answers = threading.Event(), threading.Event()

    def setup():
        asked.set()
        answers.wait(10)

    monkeypatch.setattr(wandb, "setup", setup)
    start_wandb_service()
    assert asked.wait(10)
    assert "wandb.setup" in [thread.name for thread in threading.enumerate()]
    answers.set()
    join()


def test_a_service_that_does_not_start_is_not_an_error_here(monkeypatch, reported):
    def setup():
        raise wandb.Error("wandb-core exited with code 1")

    monkeypatch.setattr(wandb, "setup", setup)
    start_wandb_service()
    join()
    assert not reported


def test_nor_is_a_broken_installation(monkeypatch):
    monkeypatch.setitem(sys.modules, "wandb", None)
    start_wandb_service()
    assert "wandb.setup" not in [thread.name for thread in threading.enumerate()]
