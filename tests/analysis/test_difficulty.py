"""Where a data set lies among the published ones: from known records."""

import math

import pytest

from analysis.__main__ import main
from analysis.difficulty import PAIRS, _fragility, describe, known_sets, measured, published_law
from analysis.drawing.landscape import landscape
from analysis.drawing.rendering import pictures
from analysis.exhibits import NotEnoughError
from analysis.runs.records import read_runs
from metrics.functional.estimate import Estimate
from tests.analysis.synthetic_runs import settings, write_record

SPEC = {"classes": ["a", "b"], "domain": "medical", "size": 32, "channels": 1}


def properties(d=12.0, k=8.0, zero_pairs=0.0, **more):
    pixels = k / 255 / 32
    numbers = {"d_mle": d, "d_mle_low": 0.9 * d, "d_mle_high": 1.1 * d, "d_twonn": d}
    numbers |= {"k_f": pixels, "k_f_low": 0.8 * pixels, "k_f_high": 1.2 * pixels, "k_f_rms": k}
    numbers |= {"k_f_images": 1000.0, "k_f_zero_pairs": zero_pairs} | more
    return {f"data/{name}": value for name, value in numbers.items()}


def found(root, **more):
    one = settings("none", "image_folder", "medical", 500, 0, root="/home/me/leaves")
    write_record(root, one, properties(**more), spec=SPEC)
    return measured(read_runs([root]).done)


def test_known_records_give_back_what_is_in_them(tmp_path):
    one = found(tmp_path)
    assert (one.name, one.n, one.shape, one.sets) == ("leaves", 500, "32 x 32 x 1", 1)
    assert (one.dimension.value, one.dimension.low) == (12.0, pytest.approx(10.8))
    assert one.sharpness.high == pytest.approx(1.2 * 8.0)
    assert one.pairs == 250_000
    assert one.comparable.value == pytest.approx(8 * (PAIRS / 250_000) ** (1 / 12))


def test_what_it_needs_is_the_law_solved_for_n(tmp_path):
    one, law = found(tmp_path), published_law()
    level = one.comparable.value * math.exp(law.intercept.value)
    assert one.needed(0.3).value == pytest.approx(12 * math.log10(level / 0.3))
    assert one.needed(0.1).value > one.needed(0.3).value


def test_the_law_is_through_the_published_losses():
    law = published_law()
    assert (law.points, law.dropped) == (30, 0)  # RSNA, and CIFAR-10 and CheXpert at two n each
    assert len(known_sets()) == 12


def test_a_published_set_lies_where_it_was_published(tmp_path):
    text = describe(found(tmp_path, d=11.01, k=11.5 * 250 ** (1 / 11.01)), target=0.3)
    assert "nearest to BraTS (11)" in text
    assert "nearest to BraTS (11.5)" in text


def test_fragility_grows_with_sharpness(tmp_path):
    blunt, sharp = (found(tmp_path / str(k), k=k) for k in (6.0, 20.0))
    assert blunt.penalty.value < sharp.penalty.value
    assert sharp.penalty.low < sharp.penalty.value < sharp.penalty.high


def test_seeds_far_apart_keep_the_interval_above_0(tmp_path):
    for seed, k in enumerate((2.0, 8.0, 32.0)):
        one = settings("none", "mnist", "natural", 500, seed)
        write_record(tmp_path, one, properties(k=k), spec=SPEC)
    one = measured(read_runs([tmp_path]).done)
    assert one.sharpness.value == pytest.approx(8.0)
    assert 0 < one.sharpness.low < 2 < 32 < one.sharpness.high
    assert "K_F = 8" in describe(one, target=0.3)


def test_an_interval_that_predicts_nothing_is_not_given_as_a_result():
    narrow, wide, open_ended = (
        _fragility(Estimate(4.6, low, high), k_f=8.0)
        for low, high in ((3.0, 7.0), (1.0, 24.0), (-15.0, 24.0))
    )
    assert "by about 4.6 (95 % prediction interval of the line through 9 published" in narrow
    for text in (wide, open_ended):
        assert "cannot be predicted from K_F" in text
        assert "4.6" not in text
    assert "is 0 to 24, and their losses rose by 0." in open_ended


def test_the_line_is_not_continued_beyond_the_published_sets():
    penalty = Estimate(4100.0, 1100.0, 7100.0)
    above, below = _fragility(penalty, k_f=833.0), _fragility(penalty, k_f=0.5)
    assert "cannot be predicted from K_F, which is above that of the 9 published sets (" in above
    assert "which is below" in below
    assert "4.1e" not in above + below


def test_the_least_number_of_images_is_told(tmp_path):
    notes = [
        "all images are grey",
        "dataset_properties: data/d not measured: 2 points: a dimension needs at least 3",
        "dataset_properties: closest training images of different labels: a.png and b.png",
    ]
    own = settings("none", "image_folder", "natural", 2, 0, root="/me/leaves")
    write_record(tmp_path, own, {"data/k_f_images": 2.0}, notes=notes)
    with pytest.raises(NotEnoughError) as told:
        measured(read_runs([tmp_path]).done)
    assert str(told.value).splitlines() == [
        "no run measured data/d_mle:",
        "  data/d not measured: 2 points: a dimension needs at least 3",
        "d needs n=21 or more: its MLE takes 20 neighbours.",
    ]


def test_a_run_without_d_says_so(tmp_path):
    with pytest.raises(NotEnoughError, match="data/d_mle"):
        found(tmp_path, d_mle=None)


def test_several_seeds_are_averaged(tmp_path):
    for seed, k in enumerate((7.0, 8.0, 9.0)):
        one = settings("none", "mnist", "natural", 500, seed)
        write_record(tmp_path, one, properties(k=k), spec=SPEC)
    one = measured(read_runs([tmp_path]).done)
    assert (one.sets, one.sharpness.value) == (3, pytest.approx((7 * 8 * 9) ** (1 / 3)))
    assert one.sharpness.low < 7.0  # Student's t over three sets


def test_equal_images_with_different_labels_are_reported(tmp_path):
    with pytest.raises(NotEnoughError, match="4 pairs of equal images with different labels"):
        found(tmp_path, k_f=None, k_f_rms=None, zero_pairs=4.0)


def test_equal_images_with_different_labels_leave_a_rank_of_the_other_pairs(tmp_path):
    answer = found(tmp_path, k_f=None, k_f_rms=None, zero_pairs=4.0, k_f_finite=8.0 / 255 / 32)
    assert answer.sharpness.value == pytest.approx(8.0)
    text = describe(answer, target=0.5)
    assert "4 pairs of equal images with different labels. Correct these labels" in text
    assert "lowest of" in text
    assert pictures(landscape(answer), "difficulty")["png"]


def test_dollars_in_the_name_of_a_folder_are_no_formula(tmp_path):
    one = settings("none", "image_folder", "medical", 500, 0, root="/me/x$_$y")
    write_record(tmp_path, one, properties(), spec=SPEC)
    figure = landscape(measured(read_runs([tmp_path]).done))
    assert pictures(figure, "difficulty")["png"]


def test_the_set_is_on_the_picture(tmp_path):
    (axes,) = landscape(found(tmp_path)).axes
    assert {"BraTS", "CIFAR-10", "ISIC"} <= {text.get_text() for text in axes.texts}
    stars = [line for line in axes.lines if line.get_marker() == "*"]
    assert [line.get_xdata()[0] for line in stars] == [12.0, 12.0]


def test_the_old_command_names_the_new_one(capsys):
    assert main(["difficulty", "data=npz", "data.root=my images.npz"]) == 2
    line = "python launch.py --difficulty data=npz 'data.root=my images.npz'"
    assert line in capsys.readouterr().err


def test_sizes_of_one_draw_are_no_further_draws(tmp_path):
    for seed, d in enumerate((9.0, 12.0, 16.0)):
        for n in (250, 500, 1000):
            one = settings("none", "mnist", "natural", n, seed)
            write_record(tmp_path, one, properties(d=d), spec=SPEC)
    runs = read_runs([tmp_path]).done
    one, single = measured(runs), measured(runs[runs.n == 1000])
    assert one.dimension == single.dimension
    assert not measured(runs[runs.seed == 0]).dimension.known
