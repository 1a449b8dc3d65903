"""What task and entrant declare to each other, and the comparison made before the first trial."""

from __future__ import annotations

from dataclasses import dataclass

from pentathlon.core.errors import SpecMismatchError

Shape = tuple[int | None, ...]


@dataclass(frozen=True)
class ArraySpec:
    """One named array: ``None`` in the shape stands for any length."""

    name: str
    shape: Shape
    dtype: str
    unit: str = ""
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class ChoiceSpec:
    """One of a fixed set of named actions."""

    labels: tuple[str, ...]


@dataclass(frozen=True)
class InteractionSpec:
    """What an agent or policy sees and does; a task may offer more observations than are used.

    Attributes:
        answers: whether the agent is asked questions, and answers them
            (:class:`~pentathlon.core.entrants.AnsweringAgent`).
    """

    observations: tuple[ArraySpec, ...]
    action: ArraySpec | ChoiceSpec
    answers: bool = False


@dataclass(frozen=True)
class EncoderSpec:
    """What an encoder takes and gives.

    Attributes:
        dim: length of the pooled feature.
        image_size: height and width the encoder resizes to, in pixels; it accepts any size.
        grid: rows and columns of patch features, or ``None`` without them.
        trainable: whether gradients can flow into the encoder.
    """

    dim: int
    image_size: tuple[int, int]
    grid: tuple[int, int] | None = None
    trainable: bool = False


@dataclass(frozen=True)
class TrainableEncoder:
    """What a task expects that trains the encoder along: gradients must flow into it."""


@dataclass(frozen=True)
class JudgeSpec:
    """What a judge takes.

    Attributes:
        frames: per clip, ``None`` for any number.
        told: facts that no judge of a real video has, such as its log; they are given to no other judge, and a trial
            tells which.
    """

    frames: int | None = None
    told: tuple[str, ...] = ()


Spec = InteractionSpec | EncoderSpec | TrainableEncoder | JudgeSpec


def compare_specs(task: Spec, entrant: Spec) -> None:
    """Refuses an entrant whose spec does not fit the task's.

    Raises:
        SpecMismatchError: naming the first field that differs.
    """
    if isinstance(task, TrainableEncoder) and isinstance(entrant, EncoderSpec):
        if not entrant.trainable:
            advice = "Run it with --adapt frozen, or wrap its network in a TorchEncoder."
            raise SpecMismatchError("trainable", True, False, advice=advice)
        return
    if type(task) is not type(entrant):
        raise SpecMismatchError("spec", type(task).__name__, type(entrant).__name__)
    if isinstance(task, InteractionSpec) and isinstance(entrant, InteractionSpec):
        _compare_observations(task, entrant)
        _compare_action(task.action, entrant.action)
        if task.answers and not entrant.answers:
            advice = "The task asks questions: give the agent brief() and answer(), and its spec answers=True."
            raise SpecMismatchError("answers", True, False, advice=advice)


def _compare_observations(task: InteractionSpec, entrant: InteractionSpec) -> None:
    offered = {spec.name: spec for spec in task.observations}
    for wanted in entrant.observations:
        if wanted.name not in offered:
            advice = f"The task offers {sorted(offered)}."
            raise SpecMismatchError(f"observations.{wanted.name}", "nothing of that name", wanted.name, advice=advice)
        _compare_arrays(f"observations.{wanted.name}", offered[wanted.name], wanted)


def _compare_action(task: ArraySpec | ChoiceSpec, entrant: ArraySpec | ChoiceSpec) -> None:
    if isinstance(task, ChoiceSpec):
        got = entrant.labels if isinstance(entrant, ChoiceSpec) else type(entrant).__name__
        if got != task.labels:
            raise SpecMismatchError("action.labels", task.labels, got)
    elif isinstance(entrant, ArraySpec):
        _compare_arrays("action", task, entrant)
    else:
        raise SpecMismatchError("action", type(task).__name__, type(entrant).__name__)


def _compare_arrays(where: str, task: ArraySpec, entrant: ArraySpec) -> None:
    if not _shapes_fit(task.shape, entrant.shape):
        raise SpecMismatchError(f"{where}.shape", task.shape, entrant.shape)
    for field in ("dtype", "unit", "low", "high"):
        expected, got = getattr(task, field), getattr(entrant, field)
        if got is not None and got != "" and expected != got:
            raise SpecMismatchError(f"{where}.{field}", expected, got)


def _shapes_fit(task: Shape, entrant: Shape) -> bool:
    return len(task) == len(entrant) and all(
        a is None or b is None or a == b for a, b in zip(task, entrant, strict=True)
    )
