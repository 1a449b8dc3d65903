"""What can be put under test: encoders, agents, policies and judges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias, get_args, runtime_checkable

import numpy as np
import numpy.typing as npt

from pentathlon.core.errors import EntrantError
from pentathlon.core.specs import EncoderSpec, InteractionSpec, JudgeSpec

Kind = Literal["encoder", "agent", "policy", "judge"]
KINDS: tuple[Kind, ...] = get_args(Kind)

Images: TypeAlias = npt.NDArray[np.uint8]
Floats: TypeAlias = npt.NDArray[np.float32]
Observation: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class Features:
    """What an encoder makes of a batch: ``pooled[B, D]`` and, where it has them, ``patches[B, N, D]``."""

    pooled: Floats
    patches: Floats | None = None


@dataclass(frozen=True)
class Briefing:
    """What an agent is told before an episode or a phase of it: a sentence, and facts that the protocol names."""

    instruction: str
    seed: int
    facts: Mapping[str, Any] = field(default_factory=dict)


@runtime_checkable
class Encoder(Protocol):
    """Turns pictures into features."""

    @property
    def spec(self) -> EncoderSpec:
        """Dimensions of what is taken and given."""
        ...

    def encode(self, images: Images) -> Features:
        """Encodes ``images[B, H, W, 3]``; row ``i`` depends on image ``i`` only."""
        ...


@runtime_checkable
class Agent(Protocol):
    """Acts step by step in a world."""

    @property
    def spec(self) -> InteractionSpec:
        """Observations used and actions given."""
        ...

    def reset(self, briefing: Briefing) -> None:
        """Starts an episode; all randomness follows from ``briefing.seed``."""
        ...

    def act(self, observation: Observation) -> Any:
        """Chooses the next action."""
        ...


@runtime_checkable
class AnsweringAgent(Agent, Protocol):
    """An agent that is also asked questions; its spec says so by ``answers=True``.

    An episode has phases: ``reset`` begins the first, ``brief`` each later one, and questions come between them.
    """

    def brief(self, briefing: Briefing) -> None:
        """Begins another phase of the same episode: what was learned so far stays."""
        ...

    def answer(self, question: str) -> str:
        """Answers in a few words from what was learned in this episode; never empty, so that not knowing is a guess."""
        ...


@runtime_checkable
class Policy(Protocol):
    """Maps robot observations to actions, one or a chunk at a time."""

    @property
    def spec(self) -> InteractionSpec:
        """Observations used and actions given."""
        ...

    def reset(self) -> None:
        """Forgets the episode so far."""
        ...

    def predict(self, observation: Observation) -> Floats:
        """Returns an action ``[D]`` or a chunk of them ``[H, D]``."""
        ...


@runtime_checkable
class Judge(Protocol):
    """Tells how well each description fits a video."""

    @property
    def spec(self) -> JudgeSpec:
        """Frames wanted."""
        ...

    def score(self, clip: Images, descriptions: Sequence[str]) -> Floats:
        """Scores ``descriptions`` for ``clip[T, H, W, 3]``; higher fits better."""
        ...


Entrant: TypeAlias = Encoder | Agent | Policy | Judge

_METHODS: dict[Kind, tuple[str, ...]] = {
    "encoder": ("encode",),
    "agent": ("reset", "act"),
    "policy": ("reset", "predict"),
    "judge": ("score",),
}
_ANSWERING = ("brief", "answer")


def kind_of(entrant: object) -> Kind:
    """Tells which contract ``entrant`` fulfils.

    Raises:
        EntrantError: when it fulfils none, the message listing the methods of each kind; or when it is an agent that
            declares to answer questions and cannot.
    """
    for kind, methods in _METHODS.items():
        if hasattr(entrant, "spec") and not _lacking(entrant, methods):
            _check_answering(entrant, kind)
            return kind
    wanted = "; ".join(f"{kind}: {', '.join(methods)}" for kind, methods in _METHODS.items())
    raise EntrantError(
        f"{type(entrant).__name__} is no entrant: expected an object with .spec and the methods of one kind "
        f"({wanted}). Return such an object from the factory."
    )


def _check_answering(entrant: object, kind: Kind) -> None:
    answers = getattr(getattr(entrant, "spec", None), "answers", False)
    lacking = _lacking(entrant, _ANSWERING)
    if kind == "agent" and answers and lacking:
        raise EntrantError(
            f"{type(entrant).__name__} declares answers=True: expected the methods {', '.join(_ANSWERING)}, got none "
            f"named {', '.join(lacking)}. Write them, or leave answers out of its spec."
        )


def _lacking(entrant: object, methods: Sequence[str]) -> list[str]:
    return [name for name in methods if not callable(getattr(entrant, name, None))]
