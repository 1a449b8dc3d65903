"""What making a film is in every world: frames while steps are done, and the log of them beside the video."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

import msgspec
import numpy as np

from pentathlon.events.judge.data.films import FilmLog, LoggedStep, describe, film_path, write_film
from pentathlon.events.judge.data.frames import Frames
from pentathlon.events.judge.data.problem_sets import Clip, Environment, StepWords

LEAST_QUICK = 40
Moments: TypeAlias = Callable[[int], bool]
"""Tells of each frame's number whether to look."""


class FilmRecipe(Protocol):
    """What the recipes of all worlds have: everything that a film's pixels depend on is in them."""

    @property
    def split(self) -> str:
        """Of the world's variants."""

    @property
    def fps(self) -> int:
        """Frames a second."""

    @property
    def side_px(self) -> int:
        """Width and height of the picture."""

    @property
    def quick(self) -> bool:
        """Whether a few small frames are enough, as for a rehearsal."""


Kind = TypeVar("Kind", bound=FilmRecipe)
Steps: TypeAlias = tuple[tuple[StepWords, int, int], ...]
"""Each step with its first frame and the one after its last."""


class Take(NamedTuple):
    """What was seen, and the steps that were done."""

    frames: Frames
    steps: Steps


class Recorder:
    """Gathers the frames of a film.

    Args:
        recipe: of the film.
        look: what sees.
        when: at which frames it looks; the others are black.
    """

    def __init__(self, recipe: FilmRecipe, look: Callable[[], Frames], when: Moments) -> None:
        self._black = np.zeros((recipe.side_px, recipe.side_px, 3), np.uint8)
        self._look, self._when = look, when
        self._quick = recipe.quick
        self._frames: list[Frames] = []
        self._steps: list[tuple[StepWords, int, int]] = []

    def watch(self, moments: Iterator[None]) -> None:
        """Looks once for each moment."""
        for _ in moments:
            self._frames.append(self._look() if self._when(len(self._frames)) else self._black)

    def step(self, words: StepWords, moments: Iterator[None]) -> None:
        """Looks on while a step is done, and notes when."""
        begin = len(self._frames)
        self.watch(moments)
        self._steps.append((words, begin, len(self._frames)))

    def take(self) -> Take:
        """What was gathered. A judge may ask for many frames, of a rehearsal too."""
        missing = LEAST_QUICK - len(self._frames) if self._quick else 0
        return Take(np.stack([*self._frames, *[self._frames[-1]] * missing]), tuple(self._steps))


def always(place: int) -> bool:
    """Looks at every frame."""
    return True


def never(place: int) -> bool:
    """Looks at no frame."""
    return False


def film_log(world: Environment, recipe: FilmRecipe, frames: int, steps: Steps) -> FilmLog:
    """Writes down what was done and when; the description is written from the steps."""
    logged = tuple(
        LoggedStep(*words, start_s=begin / recipe.fps, end_s=end / recipe.fps) for words, begin, end in steps
    )
    return FilmLog(
        world=world,
        split=recipe.split,
        fps=recipe.fps,
        frames=frames,
        description=describe([step.plain for step in logged]),
        steps=logged,
        recipe=msgspec.to_builtins(recipe),
    )


def save_take(path: Path, world: Environment, recipe: FilmRecipe, take: Take) -> None:
    """Writes the film with its log."""
    write_film(path, take.frames, film_log(world, recipe, len(take.frames), take.steps))


@dataclass(frozen=True)
class Filming(Generic[Kind]):
    """Makes the films of a world.

    Attributes:
        world: its name.
        kind: of its recipes.
        shoot: does what a recipe says, looks at some moments, and returns what was seen.
    """

    world: Environment
    kind: type[Kind]
    shoot: Callable[[Kind, Moments], Take]

    def make_film(self, path: Path, about: Any) -> None:
        """Makes the film of a recipe.

        Raises:
            DataError: when what it tells cannot be done, or does not come of it.
        """
        recipe = msgspec.convert(about, self.kind)
        save_take(path, self.world, recipe, self.shoot(recipe, always))

    def attempt(self, about: Mapping[str, Any]) -> None:
        """Does what a recipe says without looking.

        Raises:
            DataError: as :meth:`make_film` does.
        """
        self.shoot(msgspec.convert(about, self.kind), never)


def recipe_clip(world: Environment, recipe: FilmRecipe, labels: tuple[str, ...], miss: str = "") -> Clip:
    """The clip that a recipe makes."""
    plain: dict[str, Any] = msgspec.to_builtins(recipe)
    return Clip(film_path(world, plain), labels, plain, miss)


def shortened(clip: Clip, kind: Any, world: Environment, side_px: int = 64) -> Clip:
    """The clip of the same recipe, small and hasty."""
    recipe = msgspec.convert(clip.recipe, kind)
    return recipe_clip(world, msgspec.structs.replace(recipe, quick=True, side_px=side_px), clip.labels, clip.miss)
