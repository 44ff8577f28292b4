"""The random law of `build()`, recorded once and then redrawn in place."""

import hashlib
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn

# records every draw; there is no public equivalent
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves  # torch.utils has no public one

from metrics.functional.generator_states import generator_states

Call = tuple[Any, tuple[Any, ...], dict[str, Any], Any]  # operator, arguments, keywords, result
OVERWRITING = ("uniform_", "normal_", "fill_", "zero_", "copy_")  # do not read their target


class Initialisation:
    """Draw networks from the law of `build()` without rebuilding them.

    `build()` is run once under a recorder of tensor operations. `draw()` replays those that reach a
    parameter or buffer, on the same memory, without the cost of creating modules. This works for
    any initialisation (torch's default, He, orthogonal, a scaled `randn`), and is checked: with one
    seed a replay must equal `build()` bit for bit, and no branch may depend on a drawn value
    (`trunc_normal_` redraws until all values are inside). If the check fails (numbers from numpy,
    or tensors reshaped in place, as `orthogonal_` does with wide ones), `replayed` is False and
    `draw()` calls `build()`.

    The global generators keep their state; draw number i depends on (seed, i) alone.

    Example:
        >>> law = Initialisation(lambda: nn.Linear(2, 3), seed=0)
        >>> with law.stream(7):
        ...     first = law.draw().weight.clone()
        >>> with law.stream(7):
        ...     torch.equal(first, law.draw().weight)
        True
    """

    def __init__(self, build: Callable[[], nn.Module], seed: int) -> None:
        self._build = build
        self._seed = seed
        recorder = _Recorder()
        with self.stream(-1), recorder:
            self.model = self._prepare(build())
        self._calls = recorder.calls
        self.replayed = self._replay_is_exact()
        if self.replayed:
            self._calls = _needed(self._calls, _storages(_state(self.model)))

    @contextmanager
    def stream(self, index: int) -> Iterator[None]:
        """Seed the global generators for draw `index`; restore them at the end of the block."""
        digest = hashlib.blake2b(f"{self._seed}/{index}".encode(), digest_size=8).digest()
        seed = int.from_bytes(digest, "little") >> 1
        with generator_states(seed):
            yield

    def draw(self) -> nn.Module:
        """Return a newly drawn network: `model` itself, overwritten, where the law is replayed."""
        if not self.replayed:
            self.model = self._prepare(self._build())
        else:
            _replay(self._calls)
        return self.model

    def draws(self, count: int) -> Iterator[nn.Module]:
        """Networks 0..count-1, one after another; use each before taking the next."""
        for index in range(count):
            with self.stream(index):
                model = self.draw()
            yield model

    def draw_parameter(self, parameter: Tensor, count: int) -> Tensor:
        """Draw one parameter `count` times: (count, *shape). Needs `replayed`."""
        calls = _needed(self._calls, _storages([parameter]))
        draws = []
        for _ in range(count):
            _replay(calls)
            draws.append(parameter.detach().clone())
        return torch.stack(draws)

    def standard_deviation(self, parameter: Tensor) -> float | None:
        """Standard deviation of a parameter's entries if they are i.i.d. with mean 0, else None."""
        calls = _needed(self._calls, _storages([parameter]))
        if not self.replayed or len(calls) != 1:
            return None
        operator, (_, *numbers), keywords, _ = calls[0]
        name = operator._schema.name
        low, high = [*numbers, 0.0, 1.0][:2] if len(numbers) != 1 else [numbers[0], 1.0]
        if keywords or not isinstance(low, float | int) or not isinstance(high, float | int):
            return None
        if name == "aten::uniform_" and low == -high:
            return high / math.sqrt(3)
        return float(high) if name == "aten::normal_" and low == 0 else None

    @staticmethod
    def _prepare(model: nn.Module) -> nn.Module:
        return model.eval().requires_grad_(False)

    def _replay_is_exact(self) -> bool:
        if any("_local_scalar_dense" in call[0]._schema.name for call in self._calls):
            return False  # Python read a drawn value, so another draw may take another branch
        if any(_reshapes(call[0]) for call in self._calls):
            return False  # a replay would reshape it again, as orthogonal_ does with wide tensors
        with self.stream(-2):
            expected = _state(self._build())
        with self.stream(-2):
            _replay(self._calls)
        found = _state(self.model)
        return len(found) == len(expected) and all(map(torch.equal, found, expected))


class _Recorder(TorchDispatchMode):
    """Records every tensor operation. This keeps all tensors alive: no address is reused."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.calls: list[Call] = []

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # True would import the compiler, 3 s, at the first call

    def __torch_dispatch__(
        self,
        func: Any,
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        result = func(*args, **(kwargs or {}))
        self.calls.append((func, args, kwargs or {}, result))
        return result


@torch.no_grad()
def _replay(calls: list[Call]) -> None:
    for operator, arguments, keywords, result in calls:
        if "empty" in operator._schema.name:  # also new_empty: its values are not read
            continue
        new = operator(*arguments, **keywords)
        if not _writes_in_place(arguments, result):
            for old, fresh in zip(_tensors(result), _tensors(new), strict=True):
                old.copy_(fresh)


def _needed(calls: list[Call], wanted: set[int]) -> list[Call]:
    """The calls that reach the storages `wanted`, walking back; overwritten ones are left out."""
    wanted = set(wanted)
    kept = []
    for call in reversed(calls):
        operator, arguments, keywords, result = call
        name = operator._schema.name.split("::")[1]
        written = _storages(_tensors(result))
        viewed = _writes_in_place(arguments, result) and not operator._schema.is_mutable
        if "empty" in name or viewed or not written & wanted:
            continue
        kept.append(call)
        whole = all(
            t.numel() * t.element_size() == t.untyped_storage().nbytes() for t in _tensors(result)
        )
        read = _tensors((arguments, keywords))
        if whole and (name in OVERWRITING or not operator._schema.is_mutable):
            wanted -= written
            read = read[1:] if name in OVERWRITING else read
        wanted |= _storages(read)
    return kept[::-1]


def _reshapes(operator: Any) -> bool:
    """Whether it reshapes its argument in place; `set_`, used by deepcopy, may be repeated."""
    return torch.Tag.inplace_view in operator.tags and operator._schema.name != "aten::set_"


def _writes_in_place(arguments: tuple[Any, ...], result: Any) -> bool:
    return bool(_storages(_tensors(result)) & _storages(_tensors(arguments)))


def _tensors(tree: Any) -> list[Tensor]:
    return [leaf for leaf in tree_leaves(tree) if isinstance(leaf, Tensor)]


def _storages(tensors: list[Tensor]) -> set[int]:
    return {tensor.untyped_storage().data_ptr() for tensor in tensors if tensor.numel()}


def _state(model: nn.Module) -> list[Tensor]:
    return [tensor.detach() for tensor in (*model.parameters(), *model.buffers())]
