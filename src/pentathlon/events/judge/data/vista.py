"""Reads the ViSTa dataset as released: a task file in YAML and a list of videos in JSON for each problem set.

``tasks/<environment>/{foundation|extrapyramidal|level_n}/<group>/…/<name>.yaml`` stands beside ``<name>_data.json``;
names that begin with an underscore are templates. Everything wrong is found in one pass and told with its file.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from pentathlon.core.errors import DataError
from pentathlon.events.judge.data.problem_sets import Clip, Environment, Fault, ProblemSet

ENVIRONMENTS: dict[str, Environment] = {
    "alfred": "virtual home",
    "real_life": "real world",
    "minecraft": "minecraft",
}
_DATA = "_data.json"


@dataclass(frozen=True)
class Vista:
    """What was read: whole problem sets, and what had to be left out of them."""

    problem_sets: tuple[ProblemSet, ...]
    faults: tuple[Fault, ...]

    def require_whole(self) -> None:
        """Refuses a dataset with faults.

        Raises:
            DataError: naming how many and the first few.
        """
        if self.faults:
            shown = "\n".join(f"  {fault}" for fault in self.faults[:5])
            more = f"\n  and {len(self.faults) - 5} more" if len(self.faults) > 5 else ""
            raise DataError(
                f"Expected a whole dataset, got {len(self.faults)} broken entries:\n{shown}{more}\nMend them, or add "
                "--skip-broken to leave them out."
            )


def read_vista(tasks: Path, videos: Path, below: str = "") -> Vista:
    """Reads every problem set below ``tasks``, or below a folder of it, whose videos lie below ``videos``.

    Raises:
        DataError: when there is no task file at all.
    """
    reader = _Reader(tasks, videos)
    folder = tasks / below
    files = sorted(path for path in folder.rglob("*.yaml") if not path.name.startswith("_"))
    if not files:
        raise DataError(
            f"Expected ViSTa's task files (*.yaml) below {folder}, got none. Give the dataset's folder data."
        )
    found = [problem_set for path in files if (problem_set := reader.read(path)) is not None]
    return Vista(tuple(found), tuple(reader.faults))


class _Reader:
    def __init__(self, tasks: Path, videos: Path) -> None:
        self._tasks, self._videos = tasks, videos
        self.faults: list[Fault] = []

    def read(self, path: Path) -> ProblemSet | None:
        """Reads one problem set; what is broken in it becomes a fault."""
        try:
            place = _place(path.relative_to(self._tasks))
            task = _read_task(path)
            entries = _read_entries(path.with_name(path.stem + _DATA))
        except _Broken as broken:
            self.faults.append(broken.fault)
            return None
        descriptions: dict[str, str] = task["label_prompts"]
        clips = tuple(self._clips(path.with_name(path.stem + _DATA), entries, place.folder, descriptions))
        if not clips:
            self.faults.append(Fault(path, "no video of it can be used"))
            return None
        return ProblemSet(
            id=path.relative_to(self._tasks).with_suffix("").as_posix(),
            environment=place.environment,
            level=place.level,
            group=place.group,
            descriptions=descriptions,
            clips=clips,
            instruction=str(task.get("prompt_gpt") or ""),
            example=str(task.get("example_gpt") or ""),
        )

    def _clips(self, file: Path, entries: list[Any], folder: str, known: dict[str, str]) -> Iterator[Clip]:
        for number, entry in enumerate(entries):
            try:
                yield self._clip(file, entry, folder, known)
            except _Broken as broken:
                self.faults.append(Fault(file, f"entry {number}: {broken.fault.what}"))

    def _clip(self, file: Path, entry: Any, folder: str, known: dict[str, str]) -> Clip:
        if not isinstance(entry, dict) or not isinstance(entry.get("path"), str) or not entry.get("label"):
            raise _Broken(file, f"expected a path and a label, got {entry!r}")
        labels = tuple(label.strip() for label in str(entry["label"]).split(","))
        unknown = [label for label in labels if label not in known]
        if unknown:
            raise _Broken(file, f"unknown label {unknown[0]!r} of {entry['path']}; known: {', '.join(known)}")
        path = self._find(folder, entry["path"])
        if path is None:
            raise _Broken(file, f"no video {entry['path']}")
        return Clip(path, labels)

    def _find(self, folder: str, named: str) -> Path | None:
        """Looks where either convention puts a video: below its environment, or from the top or ``videos`` on."""
        top = named.removeprefix("videos/")
        for path in (self._videos / folder / named, self._videos / named, self._videos / top):
            if path.is_file():
                return path
        return None


class _Broken(Exception):
    def __init__(self, file: Path, what: str) -> None:
        super().__init__(what)
        self.fault = Fault(file, what)


@dataclass(frozen=True)
class _Place:
    """What the folders of a task file say."""

    folder: str
    environment: Environment
    level: int
    group: str


def _place(path: Path) -> _Place:
    words = path.parts
    if len(words) < 4 or words[0] not in ENVIRONMENTS:
        known = ", ".join(ENVIRONMENTS)
        raise _Broken(path, f"expected <environment>/<level>/<group>/<name>.yaml with an environment of {known}")
    level = words[1].removeprefix("level_")
    if words[1] in ("foundation", "extrapyramidal"):
        level = "1"
    if not level.isdigit():
        raise _Broken(path, f"expected foundation, extrapyramidal or level_<n> as its second folder, got {words[1]!r}")
    return _Place(words[0], ENVIRONMENTS[words[0]], int(level), words[2])


class _UniqueKeys(yaml.SafeLoader):  # type: ignore[misc]
    """A loader that refuses a key given twice, which plain YAML would let overwrite the first."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        keys = Counter(self.construct_object(key, deep=True) for key, _ in node.value)
        double = [key for key, count in keys.items() if count > 1]
        if double:
            raise yaml.YAMLError(f"the key {double[0]!r} is given twice")
        made: dict[Any, Any] = super().construct_mapping(node, deep)
        return made


def _read_task(path: Path) -> dict[str, Any]:
    try:
        task = yaml.load(path.read_text(encoding="utf-8"), Loader=_UniqueKeys)
    except (yaml.YAMLError, UnicodeDecodeError, OSError) as error:
        raise _Broken(path, f"no valid YAML: {' '.join(str(error).split())}") from error
    prompts = task.get("label_prompts") if isinstance(task, dict) else None
    if not isinstance(prompts, dict) or len(prompts) < 2:
        raise _Broken(path, "expected label_prompts with at least two labels")
    empty = [label for label, sentence in prompts.items() if not isinstance(sentence, str) or not sentence.strip()]
    if empty:
        raise _Broken(path, f"the label {empty[0]!r} has no sentence")
    whole = {str(label): " ".join(sentence.split()) for label, sentence in prompts.items()}
    return {**task, "label_prompts": whole}


def _read_entries(path: Path) -> list[Any]:
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise _Broken(path, "its list of videos is missing") from error
    except (ValueError, OSError) as error:
        raise _Broken(path, f"no valid JSON: {error}") from error
    if not isinstance(entries, list):
        raise _Broken(path, f"expected a list of videos, got {type(entries).__name__}")
    return entries
