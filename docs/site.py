"""Hooks of mkdocs: the order of the pages, and the pages generated from code (claims, atlas, API).

A page that is added to `docs/` appears in the navigation automatically: in the section below whose
pattern matches its name, else under "More".
"""

import sys
from fnmatch import filter as matching
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parent.parent
SECTIONS = {
    "Start": ("index", "probes", "results", "configuration", "glossary"),
    "How to": ("howto/*", "clusters", "devices", "reliability", "troubleshooting"),
    "Results": ("claims", "real-sets", "real-data"),
    "Quantities": ("quantities/*",),
    "Papers": ("atlas", "konz2024", "movahedi2025", "brandao2023", "prach2025", "protocols"),
    "Reference": ("intervals", "parity", "performance", "every-experiment", "api/*"),
}
ROOMS = (
    "metrics",
    "callbacks",
    "datamodules",
    "lightning_modules",
    "records",
    "display",
    "analysis",
)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Set the navigation from the files of `docs/` and the generated pages."""
    docs = Path(config.docs_dir)
    pages = [path.relative_to(docs).with_suffix("").as_posix() for path in docs.rglob("*.md")]
    pages = sorted([*pages, "atlas", "claims", *(f"api/{room}" for room in ROOMS)])
    config.nav = navigation(pages)
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are generated from the code in every build."""
    sys.path.insert(0, str(ROOT))  # here, not above: mkdocs restores the path after loading hooks
    from analysis.atlas import atlas
    from analysis.claims_table import claims_page

    claims = claims_page(ROOT / "evidence")
    made = {"atlas": atlas(), "claims": claims, **{f"api/{room}": api(room) for room in ROOMS}}
    for name, content in made.items():
        files.append(File.generated(config, f"{name}.md", content=content))
    return files


def navigation(pages: list[str]) -> list[dict[str, Any]]:
    """Sections in order, each with the pages that its patterns match; the rest under "More"."""
    left = dict.fromkeys(pages)
    nav = []
    for title, names in SECTIONS.items():
        found = list(dict.fromkeys(page for name in names for page in matching(pages, name)))
        for page in found:
            left.pop(page, None)
        if found:
            nav.append({title: [f"{page}.md" for page in found]})
    return [*nav, {"More": [f"{page}.md" for page in left]}] if left else nav


def api(room: str) -> str:
    """A page with the docstrings of every module of a top-level folder."""
    modules = sorted(
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for path in (ROOT / room).rglob("*.py")
        if not path.stem.startswith("__") and not {"figures", "tables"} & set(path.parts)
    )
    return f"# {room}\n\n" + "\n".join(f"::: {module}\n" for module in modules)
