import pytest
import torch
from torchmetrics.functional import classification as tm

from metrics.functional.classification_report import classification_report
from metrics.functional.classification_scores import classification_scores, confusion
from tests.memory import peak_memory


def predictions(classes: int, n: int = 300, ties: bool = True):
    generator = torch.Generator().manual_seed(classes)
    p = torch.randn(n, classes, generator=generator).mul(1.5).softmax(1)
    if ties:
        p = (p * 20).round() + 1
        p = p / p.sum(1, keepdim=True)
    return p, torch.multinomial(p, 1, generator=generator)[:, 0]


@pytest.mark.parametrize("classes", [3, 6])
def test_several_classes_agree_with_torchmetrics(classes):
    p, y = predictions(classes, ties=False)  # a confidence on the edge of a bin may go either way
    ours = {name: float(value) for name, value in classification_scores(p, y).items()}
    options = {"num_classes": classes}
    theirs = {
        "accuracy": tm.multiclass_accuracy(p, y, **options, average="micro"),
        "balanced_accuracy": tm.multiclass_accuracy(p, y, **options, average="macro"),
        "auroc": tm.multiclass_auroc(p, y, **options),
        "sensitivity": tm.multiclass_recall(p, y, **options, average="macro"),
        "specificity": tm.multiclass_specificity(p, y, **options, average="macro"),
        "f1": tm.multiclass_f1_score(p, y, **options, average="macro"),
        "calibration_error": tm.multiclass_calibration_error(p, y, **options, n_bins=15),
    }
    assert ours == pytest.approx({name: float(value) for name, value in theirs.items()}, abs=1e-5)


def test_two_classes_are_scored_by_the_positive_one():
    p, y = predictions(2)
    ours = classification_scores(p, y)
    assert float(ours["auroc"]) == pytest.approx(float(tm.binary_auroc(p[:, 1], y)), abs=1e-5)
    assert len(p[:, 1].unique()) < 60  # ties count half in both
    assert float(ours["sensitivity"]) == pytest.approx(float(tm.binary_recall(p.argmax(1), y)))
    assert float(ours["specificity"]) == pytest.approx(float(tm.binary_specificity(p.argmax(1), y)))
    assert float(ours["f1"]) == pytest.approx(float(tm.binary_f1_score(p.argmax(1), y)))


def test_a_weight_of_two_is_the_image_twice():
    p, y = predictions(3, n=40)
    weights = torch.randint(0, 3, (40,), generator=torch.Generator().manual_seed(0))
    weights[:3] = 1
    index = torch.arange(40).repeat_interleave(weights)
    weighted = classification_scores(p, y, weights[None])
    repeated = classification_scores(p[index], y[index])
    for name, value in weighted.items():
        torch.testing.assert_close(value, repeated[name])


def test_the_confusion_matrix_has_true_classes_as_rows():
    p, y = predictions(3)
    expected = tm.multiclass_confusion_matrix(p, y, num_classes=3)
    assert confusion(p, y).tolist() == expected.tolist()


def test_outputs_and_classes_without_images_change_no_score():
    p, y = predictions(2)
    wide = torch.cat([p * 0.9, torch.full((300, 98), 0.1 / 98)], 1)  # a head of 100 outputs
    expected, found = classification_scores(p, y), classification_scores(wide, y, classes=2)
    for name in ("auroc", "balanced_accuracy", "sensitivity", "specificity", "f1", "accuracy"):
        torch.testing.assert_close(found[name], expected[name])
    rare = classification_scores(wide, y, classes=100)  # 98 classes that have no image
    assert float(rare["sensitivity"]) == pytest.approx(float(expected["balanced_accuracy"]))
    assert all(value.isfinite().all() for value in rare.values())


def test_a_thousand_outputs_need_little_memory():
    y = torch.arange(600) % 2
    p = torch.rand(600, 1000, generator=torch.Generator().manual_seed(0)).softmax(1)
    with peak_memory() as peak:
        classification_report(p, y, draws=100, classes=2)
    assert peak.bytes < 2**29


def test_images_of_one_patient_widen_the_interval():
    p, y = predictions(2, n=60)
    p, y, patient = p.repeat(10, 1), y.repeat(10), torch.arange(60).repeat(10)
    alone = classification_report(p, y).intervals["auroc"]
    together = classification_report(p, y, patient).intervals["auroc"]
    assert together[1] - together[0] > 2 * (alone[1] - alone[0])


def test_no_interval_where_none_holds():
    p, y = predictions(2)
    assert classification_report(p, y, torch.arange(300) % 19).intervals == {}
    perfect = classification_report(torch.eye(2)[y] * 0.9 + 0.05, y)
    assert "accuracy" not in perfect.intervals  # no resample differs
    assert "calibration_error" not in classification_report(p, y).intervals


@pytest.mark.parametrize(
    ("p", "y", "sentence"),
    [
        (torch.ones(3, 1), torch.zeros(3).long(), "need \\(N, C\\)"),
        (torch.ones(3, 2) / 2, torch.zeros(3), "integers"),
        (torch.ones(3, 2) / 2, torch.tensor([0, 1, 2]), "label 2 is not in 0..1"),
    ],
)
def test_what_does_not_fit_is_refused(p, y, sentence):
    with pytest.raises(ValueError, match=sentence):
        classification_scores(p, y)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "groups"), [(150, None), (300, 30), (120, 20)])
def test_intervals_hold_the_truth_as_often_as_they_promise(n, groups):
    """Patients with an effect of their own; the truth is that of a very large test set."""
    generator = torch.Generator().manual_seed(n)

    def draw(n, groups):
        patient = torch.arange(n) % (groups or n)
        y = torch.arange(groups or n)[patient] % 2
        effect = torch.randn(groups or n, 2, generator=generator)[patient] * 0.7 * bool(groups)
        z = torch.randn(n, 2, generator=generator) + effect
        z[torch.arange(n), y] += 1.2
        return (1.5 * z).softmax(1), y, patient if groups else None

    p, y, _ = draw(200 * n, groups and 200 * groups)
    truth = {name: float(value) for name, value in classification_scores(p, y).items()}
    held = dict.fromkeys(("accuracy", "auroc", "sensitivity", "specificity"), 0)
    for seed in range(1000):
        report = classification_report(*draw(n, groups), draws=200, seed=seed)
        for name in held:
            low, high = report.intervals[name]
            held[name] += low <= truth[name] <= high
    assert all(0.93 <= count / 1000 <= 0.975 for count in held.values()), held
