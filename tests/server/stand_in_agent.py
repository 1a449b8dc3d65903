"""An agent without a sandbox, for tests of what happens around it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np


class Still:
    """Holds the arm where it is."""

    def reset(self) -> None:
        pass

    def predict(self, observation: Any) -> Any:
        return np.tile(observation["joints"], (50, 1))


@contextmanager
def open_still(*_: Any, **__: Any) -> Iterator[Still]:
    """Takes the place of ``open_entrant``."""
    yield Still()
