import pytest

from conf.plan import plan


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("data.validation=1.0", "a share between 0 and 1, or a number of images below n=500"),
        ("data.validation=500", "must be a share between 0 and 1"),
        ("data.validation=0", "null sets none aside"),
        ("data.validation=some", "must be null or a number"),
        ("stop=early", "`stop.monitor=validation/loss`: there are no validation images"),
        ("select=best", "`select=best`: nothing to choose by; set data.validation=0.2"),
        ("select=worst", "`select=worst`"),
        ("fold=1", "`fold=1`: the number of folds is missing; set folds=5."),
        ("folds=5", "`fold=None`: must be from 0 to 4; -m fold=0,1,2,3,4 runs all."),
        ("folds=5 fold=5", "`fold=5`: must be from 0 to 4"),
        ("folds=1 fold=0", "`folds=1`: must be 2 or more."),
        ("data=plane model=mlp folds=5 fold=0", "is drawn again for every seed; sweep over seed."),
        ("data=cifar10 data.split=official folds=5 fold=0", "set data.split to group or image"),
    ],
)
def test_settings_that_do_not_fit_are_explained(words, said):
    problems = plan(words.split()).problems
    assert any(said in problem for problem in problems), problems


@pytest.mark.parametrize(
    "words",
    [
        "data.validation=0.2 stop=early",
        "stop=early stop.monitor=train/running_loss",
        "stop=early stop.monitor=train/running_loss select=best",
        "data.validation=50 select=best",
        "data=plane model=mlp data.validation=0.2",
        "-m fold=0,1,2 folds=3",
    ],
)
def test_settings_that_fit_are_accepted(words):
    assert not plan(words.split()).problems
