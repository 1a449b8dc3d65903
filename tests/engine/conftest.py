from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from pentathlon.core import EntrantEntry, TaskEntry
from pentathlon.engine import RunRequest

RequestMaker: TypeAlias = Callable[..., RunRequest]

# Workers inherit the search path, so they find the toys as well.
sys.path.append(str(Path(__file__).parent))


@pytest.fixture
def request_for(tmp_path: Path) -> RequestMaker:
    """Makes requests of the toy task; options of the request are told apart from those of the task by name."""

    def make(entrant: str = "ToyAgent", kind: Any = "agent", options: Any = None, **fields: Any) -> RunRequest:
        settings = {name: fields.pop(name) for name in tuple(fields) if name in RunRequest.__dataclass_fields__}
        return RunRequest(
            task=TaskEntry("example/toy-v1", "", "toy_engine:ToyTask", fields),
            entrant=EntrantEntry("toy", kind, "", f"toy_engine:{entrant}", options or {}),
            **{"out": tmp_path / "runs", "workers": 1, **settings},
        )

    return make
