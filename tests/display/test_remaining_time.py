"""What a sweep says of the time it will still take."""

from display.remaining_time import RemainingTime, expected


def test_runs_to_come_take_what_finished_ones_took_and_more_for_more_images():
    assert expected([1000], [5.0], [1000, 4000]) == 10.0  # one run tells no slope
    assert expected([100, 300, 500], [2.0, 4.0, 6.0], [700]) == 8.0
    assert expected([100, 500], [6.0, 2.0], [900]) == 4.0  # larger were not slower: the mean
    assert expected([400, 500], [4.0, 14.0], [10]) == 4.0  # never below what a run has taken


def test_it_is_said_after_the_first_run_and_then_ever_less_often():
    estimate, said = RemainingTime(), []
    for number in range(8):
        estimate.add(100, 60.0)
        said.append(estimate.sentence([100] * (7 - number)))
    assert said[0] == "About 7 min for the 7 runs left, by the 1 run finished."
    assert [bool(text) for text in said] == [True, True, False, True, False, False, False, False]


def test_a_sweep_tells_what_is_left_once_a_run_is_finished(launch):
    assert launch("-m", "model=none", "seed=0,1", "callbacks=none") == 0
    assert "for the 1 run left, by the 1 run finished." in launch.output
