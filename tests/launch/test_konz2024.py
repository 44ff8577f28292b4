"""One cell of the paper's grid, as its published code trains and measures it, on real digits."""


def test_a_run_by_the_published_codes_rules(launch):
    launch(
        *("experiment=konz2024/generalization", "protocol=code", "model=resnet18"),
        *("data=digits", "task=pair", "task.classes=[0,1]", "n=60", "data.test_n=60", "epochs=1"),
        "callbacks=business",
    )
    record = launch.run("konz2024/generalization").read()
    assert record["status"] == "done"
    settings, scalars = record["settings"], record["scalars"]
    assert (settings["model"]["outputs"], settings["batch_size"]) == (1000, 40)
    assert settings["task"]["slip"]
    assert settings["callbacks"]["fgsm_penalty"]["loss"] == "run"
    assert scalars["train/d_repr_mle/konz2024"] > 0
    assert "train/d_repr_mle/penultimate" not in scalars
