"""Read the signature of a `_target_` from its source, without importing it.

Config keys are compared with argument names, and values with annotations such as `int`, `bool` or
`Literal[...]`, before torch is imported. There is no second list of allowed keys to maintain.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from conf.source import Definition, find_definition
from records.provenance import ROOT

KINDS = {  # of values, as messages name them
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "str": "text",
    "list": "a list [a,b]",
    "dict": "a mapping {a: b}",
    "None": "null",
}
ANNOTATIONS = {kind: kind for kind in KINDS} | {"Path": "str", "tuple": "list", "Sequence": "list"}


@cache
def signature_of(target: str) -> dict[str, "Allowed"] | None:
    """The arguments of a class or function of this repository, and the values that each allows.

    None for callables elsewhere or with `**kwargs`, which cannot be checked.

    >>> list(signature_of("conf.signature.signature_of"))
    ['target']
    >>> signature_of("torch.optim.Adam") is None
    True
    """
    found = find_definition(target) if is_ours(target) else None
    if found is None:
        return None
    node = found.node
    function = _initialiser(found) if isinstance(node, ast.ClassDef) else node
    if function is None:
        return {}
    arguments = function.args
    if arguments.kwarg is not None:
        return None
    names = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    if isinstance(node, ast.ClassDef):
        names = names[1:]  # self
    return {a.arg: allowed(a.annotation) for a in names}


def _initialiser(found: Definition) -> ast.FunctionDef | None:
    """`__init__` of a class or of its first base that has one; or dataclass fields."""
    node = found.node
    assert isinstance(node, ast.ClassDef)
    for item in node.body:
        if isinstance(item, ast.FunctionDef) and item.name == "__init__":
            return item
    inherited = [init for base in _bases(found) if (init := _initialiser(base))]
    if not any("dataclass" in ast.unparse(decorator) for decorator in node.decorator_list):
        return inherited[0] if inherited else None
    fields = {
        item.target.id: ast.arg(item.target.id, item.annotation)
        for item in node.body
        if isinstance(item, ast.AnnAssign)
        and isinstance(item.target, ast.Name)
        and not ast.unparse(item.annotation).startswith("ClassVar")
    }
    of_bases = {one.arg: one for init in reversed(inherited) for one in init.args.args[1:]}
    every = [ast.arg("self"), *(of_bases | fields).values()]
    arguments = ast.arguments([], every, None, [], [], None, [])
    return ast.FunctionDef("__init__", arguments, [], [])


def _bases(found: Definition) -> Iterator[Definition]:
    """The bases of a class that are in this repository; others are ignored."""
    assert isinstance(found.node, ast.ClassDef)
    for base in found.node.bases:
        name = f"{found.module}.{base.id}" if isinstance(base, ast.Name) else ""
        parent = find_definition(name)
        if parent and isinstance(parent.node, ast.ClassDef) and is_ours(parent.module):
            yield parent


def is_ours(name: str) -> bool:
    """Whether a dotted name is in this repository."""
    return (ROOT / name.split(".")[0]).is_dir()


def allowed(annotation: ast.expr | None) -> "Allowed":
    """The values that an annotation allows; an unknown annotation allows everything."""
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        return allowed(annotation.left) | allowed(annotation.right)
    if isinstance(annotation, ast.Constant) and annotation.value is None:
        return Allowed(kinds=frozenset({"None"}))
    name = annotation
    if isinstance(annotation, ast.Subscript):
        name, inner = annotation.value, annotation.slice
        if isinstance(name, ast.Name) and name.id == "Literal":
            values = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            return Allowed(values=frozenset(ast.literal_eval(value) for value in values))
    if isinstance(name, ast.Name) and name.id in ANNOTATIONS:
        return Allowed(kinds=frozenset({ANNOTATIONS[name.id]}))
    return Allowed(anything=True)


@dataclass(frozen=True)
class Allowed:
    """Allowed values of an argument."""

    kinds: frozenset[str] = frozenset()
    values: frozenset[object] = frozenset()
    anything: bool = False

    def __or__(self, other: "Allowed") -> "Allowed":
        return Allowed(
            self.kinds | other.kinds, self.values | other.values, self.anything or other.anything
        )

    def accepts(self, value: object) -> bool:
        """Whether a plain value is allowed; an int is a float, but a bool is not an int."""
        if self.anything or any(value == v and type(value) is type(v) for v in self.values):
            return True
        kind = "None" if value is None else ANNOTATIONS.get(type(value).__name__, "dict")
        return kind in self.kinds or (kind == "int" and "float" in self.kinds)

    def __str__(self) -> str:
        parts = [str(value) for value in sorted(self.values, key=str)]
        return " or ".join(parts + [KINDS[kind] for kind in sorted(self.kinds)])
