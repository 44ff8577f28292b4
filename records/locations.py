"""Records without the folders, host and process numbers of the machine of a run."""

import re
from typing import Any

# A path of at least two parts from the root or from home; not the end of a URL or of a path.
PATH = re.compile(r"(?<![\w<>.~/:$}])~?(?:/[^\s/'\",:;=\[\](){}<>]+)+/(?=[^\s/'\",:;=\[\](){}<>])")
OF_MACHINE = ("host", "process")  # of a session


def without_locations(record: dict[str, Any]) -> dict[str, Any]:
    """A record whose paths keep their last part only, without hosts and process numbers.

    >>> without_locations({"command": "python launch.py paths.data=/home/me/sets n=5 name=a/b"})
    {'command': 'python launch.py paths.data=.../sets n=5 name=a/b'}
    >>> without_locations({"sessions": [{"host": "box", "process": 7, "devices": 1}]})
    {'sessions': [{'devices': 1}]}
    """
    plain = {name: _masked(value) for name, value in record.items()}
    if isinstance(plain.get("sessions"), list):
        plain["sessions"] = [
            {name: value for name, value in session.items() if name not in OF_MACHINE}
            for session in plain["sessions"]
        ]
    return plain


def _masked(value: Any) -> Any:
    if isinstance(value, str):
        return PATH.sub(".../", value)
    if isinstance(value, dict):
        return {name: _masked(inner) for name, inner in value.items()}
    return [_masked(inner) for inner in value] if isinstance(value, list) else value
