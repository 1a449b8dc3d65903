"""What a problem set is: sentences, and videos of which each fits one of them, several or none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pentathlon.core.identity import content_hash

Environment = Literal["virtual home", "real world", "minecraft", "tabletop", "blocks"]

# The paper's themes of level 1 (section 3.1); groups of higher levels are their own themes.
THEMES: dict[str, str] = {
    "objects": "objects",
    "containers": "objects",
    "on_v_off": "object properties",
    "sliced_v_whole": "object properties",
    "clean": "actions",
    "heat": "actions",
    "cool": "actions",
    "pick_v_put": "actions",
    "slice": "actions",
    "toggle": "actions",
    "permutation": "permutation",
    "remix": "general",
}


class StepWords(NamedTuple):
    """One step of a task in plain nouns, and as the description says it: ``pick up an apple from the counter top``."""

    action: str
    object: str
    target: str
    words: str


@dataclass(frozen=True)
class Clip:
    """A video and the labels that are true of it.

    Attributes:
        path: where it lies, or will lie once it is made.
        labels: one; several in the multi-label sets of Minecraft; none where the task was missed.
        recipe: what the set's maker makes it from; ``None`` for a video that is given.
        miss: how the task was missed; empty where it was not.
    """

    path: Path
    labels: tuple[str, ...]
    recipe: Mapping[str, Any] | None = None
    miss: str = ""

    @property
    def name(self) -> str:
        """What a record calls it: the name of a given video, what a generated one was made from."""
        return self.path.name


@dataclass(frozen=True)
class ProblemSet:
    """Videos to be matched with sentences.

    Attributes:
        id: environment, level, group and name, joined by slashes; unique within a dataset.
        level: number of steps; 1 for single actions.
        group: what it tests, as the dataset names it.
        descriptions: label to sentence, in the order of the file.
        instruction: told to chat judges before they describe frames.
        example: shown to them in one-shot mode.
        split: of the houses and objects that a generated set shows.
        steps: of each description, where they are known.
        maker: ``module:function`` that makes the clips which have a recipe.
    """

    id: str
    environment: Environment
    level: int
    group: str
    descriptions: dict[str, str]
    clips: tuple[Clip, ...]
    instruction: str = ""
    example: str = ""
    split: str = "test"
    steps: dict[str, tuple[StepWords, ...]] = field(default_factory=dict)
    maker: str = ""

    @property
    def theme(self) -> str:
        """The group that the paper reports it under."""
        return THEMES.get(self.group, self.group.replace("_", " "))

    @property
    def multi_label(self) -> bool:
        """Whether some video fits several sentences."""
        return any(len(clip.labels) > 1 for clip in self.clips)

    @property
    def digest(self) -> str:
        """Changes with everything that a score could depend on but the pixels of given videos."""
        clips = [[clip.name, clip.labels, clip.recipe, clip.miss] for clip in self.clips]
        return content_hash([self.id, self.descriptions, self.instruction, self.example, clips])


@dataclass(frozen=True)
class Fault:
    """What is wrong with an entry of a dataset, and where."""

    file: Path
    what: str

    def __str__(self) -> str:
        return f"{self.file}: {self.what}"
