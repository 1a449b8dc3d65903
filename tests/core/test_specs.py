"""Specs are compared before the first trial and the offending field is named."""

import pytest

from pentathlon.core import (
    ArraySpec,
    ChoiceSpec,
    EncoderSpec,
    InteractionSpec,
    JudgeSpec,
    SpecMismatchError,
    TrainableEncoder,
    compare_specs,
)
from pentathlon.core.specs import Spec

RGB = ArraySpec("rgb", (224, 224, 3), "uint8")
DEPTH = ArraySpec("depth", (224, 224), "float32", unit="m")
TASK = InteractionSpec((RGB, DEPTH), ChoiceSpec(("MoveAhead", "Stop")))


def test_an_entrant_may_use_less_than_is_offered_and_leave_shapes_open() -> None:
    compare_specs(TASK, InteractionSpec((ArraySpec("rgb", (None, None, 3), "uint8"),), TASK.action))


@pytest.mark.parametrize(
    ("entrant", "field"),
    [
        (InteractionSpec((ArraySpec("rgb", (128, 128, 3), "uint8"),), TASK.action), "observations.rgb.shape"),
        (InteractionSpec((ArraySpec("rgb", (224, 224, 3), "float32"),), TASK.action), "observations.rgb.dtype"),
        (InteractionSpec((ArraySpec("depth", (224, 224), "float32", "mm"),), TASK.action), "observations.depth.unit"),
        (InteractionSpec((ArraySpec("pose", (3,), "float32"),), TASK.action), "observations.pose"),
        (InteractionSpec((RGB,), ChoiceSpec(("Stop", "MoveAhead"))), "action.labels"),
        (InteractionSpec((RGB,), ArraySpec("action", (7,), "float32")), "action.labels"),
        (JudgeSpec(), "spec"),
        (EncoderSpec(4, (8, 8)), "spec"),
    ],
)
def test_the_field_at_fault_is_named(entrant: Spec, field: str) -> None:
    with pytest.raises(SpecMismatchError) as caught:
        compare_specs(TASK, entrant)
    assert caught.value.field == field
    assert repr(field) in str(caught.value)


def test_action_bounds_are_compared() -> None:
    task = InteractionSpec((), ArraySpec("joints", (7,), "float32", "rad", -3.0, 3.0))
    compare_specs(task, InteractionSpec((), ArraySpec("joints", (7,), "float32", "rad")))
    with pytest.raises(SpecMismatchError, match=r"action\.high"):
        compare_specs(task, InteractionSpec((), ArraySpec("joints", (7,), "float32", "rad", -3.0, 2.0)))


def test_what_is_trained_along_must_be_trainable() -> None:
    compare_specs(TrainableEncoder(), EncoderSpec(dim=3, image_size=(8, 8), trainable=True))
    with pytest.raises(SpecMismatchError, match="'trainable'.*--adapt frozen"):
        compare_specs(TrainableEncoder(), EncoderSpec(dim=3, image_size=(8, 8)))
    with pytest.raises(SpecMismatchError, match="TrainableEncoder.*JudgeSpec"):
        compare_specs(TrainableEncoder(), JudgeSpec())
