"""No page shows code that fails or a command with a wrong key."""

import re
from functools import cache

import pytest

from analysis.atlas import atlas, plain
from analysis.claims import claims_of
from analysis.exhibits import papers
from analysis.seen import rows
from conf.plan import _Planner, plan
from tests.docs.pages import PAGES, ROOT, commands, name_of, python_blocks

WRONG_ON_PURPOSE = {("modle=lenet", "n=-3")}
NOT_SHOWN = {"appendix 1.1", "Sec. 9.2"}  # Proposition 1, which has no exhibit; other people's CRA
TO_BE_WRITTEN = {"model=two_layer", "callbacks=contrast"}  # what a how-to page has readers add


@pytest.mark.parametrize("page", [p for p in PAGES if python_blocks(p.read_text())], ids=name_of)
def test_the_code_of_a_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "page"}
    for block in python_blocks(page.read_text()):
        exec(compile(block, name_of(page), "exec"), names)
    assert set(names) - {"__name__", "__builtins__"}, "the page's code defines nothing"


@pytest.fixture
def ends_of_sweeps(monkeypatch):
    """Compose the first and the last run of a sweep: all of its keys, few of its cells."""
    jobs = _Planner._jobs

    def ends(self, *arguments):
        found = jobs(self, *arguments)
        return found if len(found) < 3 else [found[0], found[-1]]

    monkeypatch.setattr(_Planner, "_jobs", ends)


@cache
def problems_of(words):
    planned = plan([word.replace("=~/", "=/home/me/") for word in words])  # as launch.py does
    return () if planned is None else tuple(planned.problems)


@pytest.mark.parametrize("page", [p for p in PAGES if commands(p.read_text())], ids=name_of)
def test_the_commands_of_a_page_compose(page, ends_of_sweeps):
    for words in {tuple(words): None for words in commands(page.read_text())}:
        if words in WRONG_ON_PURPOSE or TO_BE_WRITTEN & set(words):
            continue
        files = ("measure=", "model.weights=")  # that readers have
        words = tuple(word for word in words if not word.startswith(files))
        assert problems_of(words) == (), f"python launch.py {' '.join(words)}"


def test_the_commands_of_claims_compose(ends_of_sweeps):
    asked = [claim.experiment for paper in papers() for claim in claims_of(paper)]
    for experiment in dict.fromkeys(asked):
        words = ("-m", *f"experiment={experiment}".split())
        assert problems_of(words) == (), experiment


def test_mistakes_that_are_shown_are_mistakes():
    for words in WRONG_ON_PURPOSE:
        assert plan(list(words)).problems


def test_the_atlas_tells_how_to_make_and_read_every_exhibit():
    from analysis.exhibits import discover

    text = atlas()
    for exhibit in (*discover("figures"), *discover("tables")):
        assert f"{{#{exhibit.paper}-{exhibit.kind}-{exhibit.name}}}" in text
        assert plain(exhibit.reading) in text
        assert f"runs/{exhibit.experiment} --figure {exhibit.name}" in text


def test_the_atlas_tells_what_was_seen_and_what_was_published():
    from analysis.atlas import entry
    from analysis.exhibits import discover, load
    from analysis.published import published_table
    from analysis.report.beside import published_of

    exhibits = [*discover("figures"), *discover("tables")]
    untold = [one.name for one in exhibits if "**Seen here:** not reported" in entry(one)]
    assert untold == []  # the table of the paper's page has no row with this name
    table = entry(load("tables", "movahedi2025", "pruning"))
    assert "54 values: Table 2, test/accuracy, cifar10, n 50000, printed" in table
    assert "| lenet | random | 0.1 | 65 (64.6 to 65.4) |" in table
    assert "LeNet, 50 %: 58.5 by score" in table
    assert "34.7 by score" in table
    for paper in {one.paper for one in exhibits}:
        shown = {item for one in exhibits if one.paper == paper for item in published_of(one).item}
        assert set(published_table(paper).item) - shown <= NOT_SHOWN


def test_rows_of_tables_are_found_by_their_headings():
    text = "| a | b |\n|---|---|\n| 1 | x \\| y |\n\nand\n\n| c |\n|---|\n| 3 |"
    assert rows(text) == [{"a": "1", "b": "x \\| y"}, {"c": "3"}]


def test_links_to_pages_arrive_on_github_too():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+\.md)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / target).exists(), f"{name_of(page)} links to {target}"


def test_every_page_is_in_the_navigation_once():
    pytest.importorskip("mkdocs", reason="the docs extra is not installed")
    from docs.site import navigation

    pages = [p.relative_to(ROOT / "docs").with_suffix("").as_posix() for p in PAGES[2:]]
    pages += ["atlas", "claims", "brand-new"]
    nav = navigation(pages)
    listed = [page for section in nav for (_, found) in section.items() for page in found]
    assert sorted(listed) == sorted(f"{page}.md" for page in pages)
    assert "brand-new.md" in nav[-1]["More"]


def test_doctests_are_fenced():
    pytest.importorskip("griffe", reason="the docs extra is not installed")
    from docs.doctests import fenced

    text = "One.\n\nArgs:\n    x: y\n\n    >>> [1][0]\n    1\n\nTwo."
    assert fenced(text) == (
        "One.\n\nArgs:\n    x: y\n\n    ```pycon\n    >>> [1][0]\n    1\n    ```\n\nTwo."
    )
