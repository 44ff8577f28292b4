"""The page around the report: one template, style and script, and a policy that admits no other.

The content security policy names the style and the script by their hashes, so that nothing a record
holds could run even if it were not escaped; no address can be reached.
"""

import base64
import hashlib
import json
from pathlib import Path
from string import Template
from typing import Any

HERE = Path(__file__).parent
SCRIPTS = ("elements", "sorting", "axes", "scatter", "explorer")  # each uses those before it


def fill(body: str, data: dict[str, Any]) -> str:
    """The document: markup, and what its script reads."""
    style, script = (HERE / "style.css").read_text(), joined_script()
    policy = (
        "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; "
        f"style-src '{digest(style)}'; script-src '{digest(script)}'"
    )
    return Template((HERE / "template.html").read_text()).substitute(
        policy=policy, style=style, script=script, body=body, data=as_data(data)
    )


def joined_script() -> str:
    """The page's one script, from its files; nothing of it is seen from outside."""
    parts = [(HERE / "script" / f"{name}.js").read_text() for name in SCRIPTS]
    return '"use strict";\n(() => {\n' + "\n".join(parts) + "})();\n"


def digest(text: str) -> str:
    """What a policy calls an inline style or script by."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def as_data(data: dict[str, Any]) -> str:
    r"""JSON that can stand inside a page: no text in it can end the element.

    >>> as_data({"a": "</script>"})
    '{"a":"\\u003c/script>"}'
    """
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c")
