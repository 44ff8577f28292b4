"""Find a class by its name or its number."""

import difflib

from datamodules.errors import DataError


def class_position(name: str | int, classes: tuple[str, ...], setting: str) -> int:
    """The index of class `name`: a name, or a number if no class is called that.

    If there is none, the error names the config key `setting` and the nearest class, or lists all.

    >>> class_position("cat", ("cat", "dog"), "task.classes")
    0
    >>> class_position(1, ("cat", "dog"), "task.classes")
    1
    """
    if str(name) in classes:
        return classes.index(str(name))
    if str(name).isdigit() and int(name) < len(classes):
        return int(name)
    near = difflib.get_close_matches(str(name), classes, n=1)
    hint = f"did you mean `{near[0]}`?" if near else f"there are {', '.join(classes)}."
    raise DataError(f"{setting}: no class `{name}`; {hint}")
