from analysis.__main__ import main
from analysis.drawing.courses import draw_courses
from analysis.drawing.rendering import pictures
from analysis.runs.records import read_runs
from tests.analysis.synthetic_runs import scalars, settings, write_record


def write_runs(root):
    for model in ("vgg13", "resnet18"):
        for n in (250, 500, 1000):
            one = settings(model, "oai", "medical", n, 0)
            folder = write_record(root, one, scalars(n, 9, 1e-4))
            rows = [f"{e},{e},{name},{n / e}\n" for e in (1, 2, 5) for name in ("test/loss", "x/y")]
            (folder / "metrics.csv").write_text("epoch,step,name,value\n" + "".join(rows))


def legend(figure):
    (own,) = figure.legends
    return own.get_title().get_text(), [text.get_text() for text in own.get_texts()]


def test_runs_are_lines_coloured_by_the_setting_that_differs_most_or_any(tmp_path):
    write_runs(tmp_path)
    runs = read_runs([tmp_path]).done
    figure, colour = draw_courses(runs)
    assert colour == "n"
    assert [axes.get_title() for axes in figure.axes] == ["test/loss"]
    (lines,) = figure.axes[0].collections
    assert len(lines.get_segments()) == 6
    assert len({tuple(colour) for colour in lines.get_colors()}) == 3
    assert legend(figure) == ("n", ["250", "500", "1000"])
    assert legend(draw_courses(runs, "model.name")[0]) == ("model.name", ["resnet18", "vgg13"])


def test_a_setting_that_is_a_list_or_has_dollars_colours_too(tmp_path):
    for widths in ([4, "$x"], [8, "$y_"]):
        one = settings("vgg13", "oai", "medical", 250, 0, widths=widths)
        folder = write_record(tmp_path, one)
        rows = [f"{epoch},{epoch},test/loss,{epoch}\n" for epoch in (1, 2)]
        (folder / "metrics.csv").write_text("epoch,step,name,value\n" + "".join(rows))
    figure, _ = draw_courses(read_runs([tmp_path]).done, "data.widths")
    (lines,) = figure.axes[0].collections
    assert len({tuple(colour) for colour in lines.get_colors()}) == 2
    assert pictures(figure, "courses")["png"]


def test_the_legend_names_only_what_has_a_line(tmp_path):
    write_runs(tmp_path)
    write_record(tmp_path, settings("none", "oai", "medical", 250, 0), {"data/d_mle": 9.0})
    figure, _ = draw_courses(read_runs([tmp_path]).done, "model.name")
    assert legend(figure) == ("model.name", ["resnet18", "vgg13"])


def test_one_run_has_nothing_beside_it(tmp_path):
    write_runs(tmp_path)
    assert draw_courses(read_runs([tmp_path]).done.head(1)) is None


def test_the_report_shows_them_by_the_setting_asked_for(tmp_path, capsys, monkeypatch):
    write_runs(tmp_path)
    assert main([str(tmp_path), "--colour", "modle.name"]) == 2
    assert "try model.name" in capsys.readouterr().err
    monkeypatch.setattr("analysis.command_line.discover", lambda kind: [])  # the courses alone
    assert main([str(tmp_path), "--colour", "model.name"]) == 0
    page = (tmp_path / "report" / "report.html").read_text()
    assert "coloured by <code>model.name</code>" in page


def test_data_sets_are_named_and_no_path_is_cut(tmp_path):
    for number in range(20):
        root = f"/home/me/a/folder/of/many/images/set_{number:02}"
        one = settings("vgg13", "image_folder", "medical", 250, 0, root=root)
        folder = write_record(tmp_path, one)
        rows = [f"{epoch},{epoch},test/loss,{epoch}\n" for epoch in (1, 2)]
        (folder / "metrics.csv").write_text("epoch,step,name,value\n" + "".join(rows))
    digits = write_record(tmp_path, settings("vgg13", "digits", "natural", 250, 0))
    (digits / "metrics.csv").write_text((folder / "metrics.csv").read_text())
    figure, colour = draw_courses(read_runs([tmp_path]).done, "data.root")
    assert colour == "data"
    assert legend(figure) == ("data", ["digits", *(f"set_{number:02}" for number in range(20))])
    elsewhere = write_record(
        tmp_path, settings("vgg13", "digits", "natural", 250, 0, root="/me/my_digits")
    )
    (elsewhere / "metrics.csv").write_text((folder / "metrics.csv").read_text())
    _, names = legend(draw_courses(read_runs([tmp_path]).done, "data.root")[0])
    assert {"not set", "/me/my_digits"} < set(names)  # both are called digits


def test_a_long_value_keeps_its_end_and_an_absent_one_is_not_set(tmp_path):
    for loss in ("losses.of.a.very.long.package.name.Offset", None):
        own = settings("vgg13", "oai", "medical", 250, 0) | {"loss": {"_target_": loss}}
        folder = write_record(tmp_path, own)
        rows = [f"{epoch},{epoch},test/loss,{epoch}\n" for epoch in (1, 2)]
        (folder / "metrics.csv").write_text("epoch,step,name,value\n" + "".join(rows))
    _, names = legend(draw_courses(read_runs([tmp_path]).done, "loss._target_")[0])
    assert names == ["...very.long.package.name.Offset", "not set"]
