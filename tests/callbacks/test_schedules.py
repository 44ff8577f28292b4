import pytest

from callbacks.schedules import NAMED, schedule_named
from conf.schema import ProbeSchedule


def test_the_words_of_the_configuration_are_those_of_the_schedules():
    assert {word.name for word in ProbeSchedule} == set(NAMED)
    with pytest.raises(ValueError, match="choose one of log"):
        schedule_named("sometimes")
