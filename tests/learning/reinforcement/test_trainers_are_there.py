"""Every command of training names a function that exists: a name in a string is not seen by the type checker."""

from __future__ import annotations

import inspect

import pytest

from pentathlon.core.registry import resolve
from pentathlon.learning.reinforcement import settings

TRAINERS = {name: row.trainer for name, row in inspect.getmembers(settings, inspect.isclass) if "trainer" in vars(row)}


@pytest.mark.parametrize("trainer", TRAINERS.values(), ids=TRAINERS)
def test_a_training_s_function_is_there(trainer: str) -> None:
    assert callable(resolve(trainer))
