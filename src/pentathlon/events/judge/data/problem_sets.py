"""What a problem set is: sentences, and videos of which each fits one or more of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Environment = Literal["virtual home", "real world", "minecraft"]

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


@dataclass(frozen=True)
class Clip:
    """A video and the labels that are true of it: one, or several in the multi-label sets of Minecraft."""

    path: Path
    labels: tuple[str, ...]


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
    """

    id: str
    environment: Environment
    level: int
    group: str
    descriptions: dict[str, str]
    clips: tuple[Clip, ...]
    instruction: str = ""
    example: str = ""

    @property
    def theme(self) -> str:
        """The group that the paper reports it under."""
        return THEMES.get(self.group, self.group.replace("_", " "))

    @property
    def multi_label(self) -> bool:
        """Whether some video fits several sentences."""
        return any(len(clip.labels) > 1 for clip in self.clips)


@dataclass(frozen=True)
class Fault:
    """What is wrong with an entry of a dataset, and where."""

    file: Path
    what: str

    def __str__(self) -> str:
        return f"{self.file}: {self.what}"
