"""The pages of reports: templates that escape every text, one style and script, nothing loaded.

The content security policy names the style and the script by their hashes, so that nothing a record
holds could run even if it were not escaped; no address can be reached. It refuses Plotly and Vega,
which would also add 1 to 4 MB to every report; our charts are 260 lines of JavaScript.
"""

import base64
import hashlib
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from analysis.printing.typeset import compact
from records.counted import counted

HERE = Path(__file__).parent
SCRIPTS = ("elements", "sorting", "axes", "scatter", "explorer")  # each uses those before it
MIME = {"svg": "image/svg+xml", "png": "image/png"}


def fill(template: str, data: dict[str, Any], **content: Any) -> str:
    """The document: a template, what it shows, and the data that its script reads."""
    page = environment().get_template(template)
    style = Markup((HERE / "style.css").read_text())
    return page.render(content, data=data, style=style, script=joined_script())


def environment() -> Environment:
    r"""Templates that escape every value; JSON in them cannot end its element.

    >>> environment().from_string("{{ a }} {{ b | tojson }}").render(a="<a>", b={"c": "</script>"})
    '&lt;a&gt; {"c":"\\u003c/script\\u003e"}'
    """
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.policies["json.dumps_kwargs"] = {"separators": (",", ":"), "allow_nan": False}
    made.filters |= {"compact": compact, "counted": counted, "digest": digest}
    return made


def joined_script() -> Markup:
    """The script of the page, joined from its files in one scope."""
    parts = [(HERE / "script" / f"{name}.js").read_text() for name in SCRIPTS]
    return Markup('"use strict";\n(() => {\n' + "\n".join(parts) + "})();\n")


def digest(text: str) -> str:
    """The hash by which a content security policy names an inline style or script."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def image(content: bytes, form: str) -> str:
    """An image as a data URL; an SVG shown as an image cannot run scripts."""
    return f"data:{MIME[form]};base64,{base64.b64encode(content).decode()}"
