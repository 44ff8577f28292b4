"""What a protocol changes: for every data set and task, and for one of them alone."""

from pathlib import Path

import pytest

import conf
from conf.blocks import choices_of
from conf.plan import plan

CONF = Path(conf.__file__).parent
PROTOCOLS = sorted(file.stem for file in (CONF / "protocol").glob("*.yaml"))


def composed(*words):
    return composed_as_is(*words, "model=none")


def composed_as_is(*words):
    planned = plan([*words, "n=10"])
    assert planned.problems == []
    return planned.runs[0].config


def test_the_published_codes_rules_hold_for_any_images():
    for name in ("digits", "brats", "cifar10"):
        data = composed("protocol=code", f"data={name}").data
        assert (data.split, data.order) == ("image", "file")
        assert (data.antialias, data.per_image_max) == (False, True)


@pytest.mark.parametrize(
    ("data", "switches"),
    [
        ("brats", {"gap_rule": "asymmetric"}),
        ("dbc", {"gap_rule": "asymmetric"}),
        ("prostate_mri", {"modality": "us", "score": "target"}),
        ("rsna_ih_ct", {"scaling": "wrapped"}),
        ("chexpert", {"labels": "unstated_negative"}),
        ("mura", {"region": "shoulder"}),
    ],
)
def test_the_published_codes_rules_for_one_set(data, switches):
    for protocol, changed in (("code", True), ("text", False), ("corrected", False)):
        reader = composed(f"protocol={protocol}", f"data={data}").data.reader
        assert (switches.items() <= reader.items()) == changed


def test_the_text_mixes_patients_and_changes_nothing_else_in_the_images():
    text, ours = composed("protocol=text", "data=oai").data, composed("data=oai").data
    assert (text.split, ours.split) == ("image", "group")
    assert {k: v for k, v in text.items() if k != "split"} == {
        k: v for k, v in ours.items() if k != "split"
    }


def test_tasks_follow_the_protocol():
    assert composed("protocol=code").task.test_noise
    assert not composed("protocol=text").task.test_noise
    jitter = {p: composed(f"protocol={p}", "task=function").task.jitter_of for p in PROTOCOLS}
    assert jitter == {"corrected": "projection", "text": "channel", "code": "range"}


def test_any_protocol_goes_with_any_data_and_any_task():
    data, task = (",".join(choices_of(CONF / group)) for group in ("data", "task"))
    for words in (["-m", f"data={data}"], ["-m", f"task={task}", "data=brats"]):
        planned = plan([*words, f"protocol={','.join(PROTOCOLS)}", "model=none", "n=10"])
        # `data.root` of one's own images, `task.finding`
        assert [p for p in planned.problems if "has no value" not in p] == []


def test_a_command_has_the_last_word():
    words = ("protocol=code", "data=brats", "data.reader.gap_rule=symmetric")
    assert composed(*words).data.reader.gap_rule == "symmetric"
    assert composed("protocol=code", "preparation.order=seed").data.order == "seed"
    assert composed("protocol=code", "data.order=seed").data.order == "seed"


def test_one_paper_has_rules_of_its_own():
    def konz(protocol, *words):
        return composed_as_is("experiment=konz2024/generalization", f"protocol={protocol}", *words)

    for model, batch in (("resnet50", 12), ("vgg13", 6)):
        code = konz("code", f"model={model}", "data=mnist")
        assert (code.batch_size, code.model.outputs) == (batch, 1000)
        assert code.task.slip
        assert code.callbacks.fgsm_penalty.loss == "run"
    assert konz("text", "model=vgg13", "data=mnist").model.head == "single"
    ours = konz("corrected", "model=resnet50", "data=mnist")
    assert (ours.batch_size, ours.model.get("outputs"), ours.model.head) == (64, None, "logits")
    assert not ours.task.slip
    other = composed_as_is("protocol=code", "model=resnet50", "data=mnist")
    assert (other.batch_size, other.model.get("outputs"), other.task.slip) == (64, None, False)


def test_the_published_code_draws_imagenets_pairs_from_two_folders():
    first = {p: composed(f"protocol={p}", "data=imagenet").data.reader.first for p in PROTOCOLS}
    assert first == {"corrected": None, "text": None, "code": 2}
