"""The identity of each planned run's data, before any run starts. Does not import torch."""

import json
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

from hydra.utils import instantiate
from omegaconf import DictConfig

from conf.check import known_n
from conf.held_out import FROM_FILES
from conf.resolve import resolve
from conf.run_plan import PLACES, RunPlan
from datamodules.content import Contents, file_digest
from datamodules.errors import TooFewImagesError
from datamodules.extended import open_reader
from datamodules.fingerprint import covers_all, identify
from datamodules.group_notes import group_notes
from datamodules.identity import digest
from datamodules.reader import Listing
from datamodules.selection import Choice, Selection, most_images, select
from records.data_identity import DataIdentity, Manifest


class Identities:
    """Finds the identity of each run's data; data that runs share are listed and read once."""

    def __init__(self) -> None:
        self.notes: dict[str, None] = {}  # about groups and unreadable data, each once
        self.problems: dict[str, None] = {}  # images of `n=all` that cannot be counted
        self._sizes: defaultdict[str, set[int]] = defaultdict(set)  # of `n=all`, by data set
        self._listings: dict[str, tuple[Listing, Contents] | Exception] = {}
        self._found: dict[str, DataIdentity | None] = {}
        self._largest: dict[str, int] = {}  # largest n for which there were enough images

    def counted(self, run: RunPlan) -> RunPlan | None:
        """The run with a number for `n=all`; None if it has a problem."""
        name = run.settings["data"]["name"]
        try:
            n = self._most_images(run)
        except Exception as error:
            self.problems[f"`n=all`: the images of `{name}` cannot be counted: {error}"] = None
            return None
        self._sizes[name].add(n)

        def make() -> DictConfig:
            config = run.make()
            config.n = n
            return config

        return replace(run, plain={**run.plain, "n": n}, make=make)

    def notes_on_sizes(self) -> list[str]:
        """Notes on numbers for `n=all` that differ between runs."""
        return [
            f"{name}: n=all is {min(found)} to {max(found)} images, which differs between these "
            "runs; to average over seeds, give n a number."
            for name, found in self._sizes.items()
            if len(found) > 1
        ]

    def _most_images(self, run: RunPlan) -> int:
        settings = resolve(known_n(run.plain))
        data = settings["data"]
        if settings["standin"] or not data.get("root"):
            from datamodules.build import unread_data  # imports torch

            config = run.config.copy()
            config.n = settings["n"]  # any number will do: no image is read
            listing = unread_data(config).settings.open().listing()  # type: ignore[attr-defined]
        else:
            listing = self._open(data, Path(settings["paths"]["cache"]))[0]
        if data.get("on_bad_file") == "skip" and data.get("order") != "file":
            return _most_readable(run, settings)
        task = instantiate(settings["task"], _convert_="all")
        return most_images(listing, task, _choice(settings))

    def identified(self, run: RunPlan) -> RunPlan:
        """The run with the identity of its data.

        Missing or broken data have none: the run reports the error when it starts.
        """
        if not run.files:
            return run
        images = None
        if "data.root" in run.files:
            try:
                images = self.of_images(resolve(run.plain))
            except TooFewImagesError as error:
                return replace(run, too_few=str(error))
        arrays = {name: path for name, path in run.files.items() if name not in PLACES}
        return replace(run, data=_with_arrays(images, arrays))

    def of_images(self, settings: dict[str, Any]) -> DataIdentity | None:
        """The identity of the images of resolved settings, without array files."""
        data = settings["data"]
        if data["_target_"] != FROM_FILES:
            return None
        try:
            listing, contents = self._open(data, Path(settings["paths"]["cache"]))
        except Exception as error:  # the run will raise and record it
            first = (str(error).splitlines() or [type(error).__name__])[0]
            self.notes[f"{data['name']}: cannot be read: {first}"] = None
            return None
        # if the fingerprint covers all images, it is the same for all seeds and sizes
        # and divides them by a number that is given
        is_fixed = covers_all(listing) and data.get("test_n") is not None
        drawn = [] if is_fixed else [settings["task"], settings["n"], data["seed"]]
        own = {key: value for key, value in data.items() if key not in ("seed", "validation")}
        parts = [own, settings["folds"], settings["fold"], *drawn]
        name = json.dumps(parts, sort_keys=True, default=str)
        n = settings["n"]
        if name not in self._found or n > self._largest[name]:  # a larger n may be too large
            self._found[name] = self._identify(settings, listing, contents)
            self._largest[name] = n
        return self._found[name]

    def _open(self, data: dict[str, Any], cache: Path) -> tuple[Listing, Contents]:
        own: dict[str, Any] = {
            key: data.get(key) for key in ("reader", "root", "split", "extra", "extra_only")
        }
        name = json.dumps(own, sort_keys=True, default=str)
        if name not in self._listings:
            root = Path(own["root"]).expanduser()
            make = instantiate(own["reader"], _convert_="all")
            try:
                reader = open_reader(
                    make, root, own["split"], own["extra"], bool(own["extra_only"])
                )
                self._listings[name] = reader.listing(), Contents(cache, root)
            except Exception as error:
                self._listings[name] = error
        found = self._listings[name]
        if isinstance(found, Exception):
            raise found
        return found

    def _identify(
        self, settings: dict[str, Any], listing: Listing, contents: Contents
    ) -> DataIdentity | None:
        choice = _choice(settings)

        def chosen() -> Selection:
            return select(listing, instantiate(settings["task"], _convert_="all"), choice)

        try:
            selection = chosen()
            self._warn(listing, choice, selection)
            return identify(listing, chosen, choice.n, contents, PLACES, selection.rules)
        except TooFewImagesError:
            raise
        except Exception:  # the run will raise and record it
            return None

    def _warn(self, listing: Listing, choice: Choice, selection: Selection) -> None:
        train = test = None
        if selection.groups is not None:
            group = selection.groups[selection.labels.index]
            train = group[selection.subset.train[: choice.n]]
            test = group[selection.subset.test]
        notes = (*listing.warnings, *group_notes(listing, choice.split, train, test))
        self.notes |= dict.fromkeys(f"{choice.name}: {note}." for note in notes)


def _most_readable(run: RunPlan, settings: dict[str, Any]) -> int:
    """`n=all` without the unreadable files; imports torch."""
    from datamodules.build import unread_data
    from datamodules.readable import count_readable

    config = run.config.copy()
    config.n = settings["n"]
    return count_readable(replace(unread_data(config).settings, n=0))  # type: ignore[attr-defined]


def _choice(settings: dict[str, Any]) -> Choice:
    data = settings["data"]
    return Choice(
        name=data["name"],
        n=settings["n"],
        seed=data["seed"],
        test_n=data.get("test_n"),
        split=data["split"],
        order=data["order"],
        folds=settings["folds"],
        fold=settings["fold"],
    )


def _with_arrays(images: DataIdentity | None, arrays: dict[str, Path]) -> DataIdentity | None:
    """The identity of images and array files together."""
    if not arrays:
        return images
    contents = {name: file_digest(path) for name, path in arrays.items()}
    return DataIdentity(
        digest(images and images.fingerprint, contents),
        (*(images.replaces if images else ()), *arrays),
        images.manifest if images else lambda: Manifest(0),
        images.fingerprint if images else None,
        images.whole if images else None,
    )
