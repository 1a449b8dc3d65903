"""Makes the questions of many houses in parallel, a file for each house, checked as it is made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar, cast

import msgspec
import numpy as np

from pentathlon.core.errors import DataError
from pentathlon.core.identity import derive_seed
from pentathlon.core.making import Item, Pool
from pentathlon.events.explore.protocol import GENERATOR
from pentathlon.events.explore.questions.balance import Balance
from pentathlon.events.explore.questions.check import complaints
from pentathlon.events.explore.questions.drawing.fairness import arm_learner
from pentathlon.events.explore.questions.generate import Interview, questions_about
from pentathlon.events.explore.questions.question import Question
from pentathlon.events.explore.questions.survey import survey, survey_scene
from pentathlon.storage.files import write_durably
from pentathlon.storage.making import SERIAL, make_missing
from pentathlon.worlds.houses.graph.relations import build_graph
from pentathlon.worlds.houses.house import Record
from pentathlon.worlds.houses.scene.geometry import ObjectGeometry
from pentathlon.worlds.houses.scene.house_scene import compile_house
from pentathlon.worlds.houses.splits import Split, split_house

Part = TypeVar("Part", "HousePart", "SamplePart")


class HousePart(Record, frozen=True, kw_only=True):
    """The questions of one house, and what the slow evaluator says against them."""

    generator: str = GENERATOR
    split: Split
    index: int
    house: str
    things: int
    questions: tuple[Question, ...]
    complaints: tuple[str, ...] = ()


class SamplePart(Record, frozen=True, kw_only=True):
    """Traits and answers of yes-no questions about one house, as they are without any balance."""

    generator: str = GENERATOR
    rows: tuple[tuple[tuple[str, ...], bool], ...]


def make_houses(folder: Path, split: Split, indices: range, pool: Pool = SERIAL) -> list[HousePart]:
    """Makes the questions of houses of a split; what is there stays."""
    items = [_item(folder / f"{split}-{index}.json", split=split, index=index) for index in indices]
    return _made(items, make_house.__name__, HousePart, pool)


def make_samples(folder: Path, indices: range, per_house: int, pool: Pool = SERIAL) -> list[SamplePart]:
    """Draws yes-no questions about training houses that no balance has touched."""
    items = [_item(folder / f"sample-{index}.json", index=index, count=per_house) for index in indices]
    return _made(items, make_sample.__name__, SamplePart, pool)


def make_house(path: Path, about: Any) -> None:
    """Writes the questions of a house: a maker of :func:`make_missing`."""
    part = house_part(cast("Split", about["split"]), int(about["index"]))
    write_durably(path, msgspec.json.encode(part, order="deterministic"))


def make_sample(path: Path, about: Any) -> None:
    """Writes the traits and answers of questions about a house: a maker of :func:`make_missing`."""
    house = split_house("train", int(about["index"]))
    rng = np.random.default_rng(derive_seed(GENERATOR, house.name, "sample"))
    interview = Interview(survey(house), rng, "train", Balance({}))
    drawn = [interview.draw("yes-no") for _ in range(int(about["count"]))]
    rows = tuple((draft.traits(), bool(answer)) for draft, answer in filter(None, drawn))
    write_durably(path, msgspec.json.encode(SamplePart(rows=rows)))


def house_part(split: Split, index: int, seed: int = 0, n: int = 20) -> HousePart:
    """Generates the questions of a house of a split and checks them; a house that is too bare is left out."""
    house = split_house(split, index)
    scene = compile_house(house, switchable=False)
    data, geometry = scene.new_data(), ObjectGeometry(scene)
    things = len(house.objects)
    try:
        surveyed = survey_scene(scene, data, geometry)
        learner = arm_learner(house, surveyed)
        questions = questions_about(surveyed, house.name, seed, n, split, learner=learner)
    except DataError:
        return HousePart(split=split, index=index, house=house.name, things=things, questions=())
    found = tuple(complaints(house, build_graph(scene, data, geometry), questions))
    return HousePart(split=split, index=index, house=house.name, things=things, questions=questions, complaints=found)


def read_parts(folder: Path, split: Split) -> list[HousePart]:
    """Reads the questions of all houses of a split that lie in a folder, in order."""
    return sorted((_read(path, HousePart) for path in folder.glob(f"{split}-*.json")), key=lambda part: part.index)


def _made(items: list[Item], maker: str, kind: type[Part], pool: Pool) -> list[Part]:
    make_missing(f"{__name__}:{maker}", items, pool=pool, is_whole=_is_of_this_version(kind))
    return [_read(Path(item.path), kind) for item in items]


def _item(path: Path, **about: object) -> Item:
    return Item(str(path.absolute()), about)


def _is_of_this_version(kind: type[Part]) -> Callable[[Path], bool]:
    def is_whole(path: Path) -> bool:
        try:
            return _read(path, kind).generator == GENERATOR
        except DataError:
            return False

    return is_whole


def _read(path: Path, kind: type[Part]) -> Part:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.DecodeError) as error:
        raise DataError(
            f"Expected the questions of a house in {path}, got: {error}. Remove it and try again."
        ) from None


def all_questions(parts: list[HousePart]) -> Iterator[Question]:
    """Yields the questions of all houses."""
    for part in parts:
        yield from part.questions
