"""A result file as CoW's code writes it: our success, SPL, failure and action success from its numbers are its own."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from pentathlon.core.errors import DataError
from pentathlon.events.find.episodes.cow_results import read_cow_result


def result(steps: int, success: bool, *, stop: bool, failed: int = 0) -> dict[str, Any]:
    """Walks ``steps`` moves of 0.25 m along z; the shortest path is 1 m."""
    places = [{"x": 0.0, "y": 0.9, "z": 0.25 * i} for i in range(steps + 1)]
    actions = [{"action": "MoveAhead", "success": i >= failed} for i in range(steps)]
    if stop:
        actions.append({"action": "Stop", "success": True})
    poses = [{**place, "rotation": 0.0, "horizon": 0.0} for place in places]
    return {
        "episode_metrics": {
            "trajectory": poses,
            "actions_taken": actions,
            "success": success,
            "vision_error_in_case_of_fail": stop,
        },
        "episode_result": {
            "path": places,
            "shortest_path": [{"x": 0.0, "y": 0.0, "z": 0.0}, {"x": 0.0, "y": 0.0, "z": 1.0}],
            "success": success,
        },
    }


def write(folder: Path, content: Any) -> Path:
    path = folder / "result.json"
    path.write_text(json.dumps(content))
    return path


def test_a_success_of_twice_the_shortest_path(tmp_path: Path) -> None:
    found = read_cow_result(write(tmp_path, result(8, True, stop=True, failed=2)))
    assert found.success
    assert found.travelled_m == pytest.approx(2.0)
    assert found.shortest_m == pytest.approx(1.0)
    assert found.spl == pytest.approx(0.5)
    assert found.action_success == pytest.approx(6 / 8)
    assert found.failure == ""


def test_failures(tmp_path: Path) -> None:
    stopped = read_cow_result(write(tmp_path, result(8, False, stop=True)))
    assert (stopped.failure, stopped.spl) == ("localisation", 0.0)
    ran_out = read_cow_result(write(tmp_path, result(250, False, stop=False)))
    assert ran_out.failure == "exploration"


@pytest.mark.parametrize("content", [{}, [], {"episode_metrics": {}}, math.pi])
def test_other_files_are_refused(tmp_path: Path, content: Any) -> None:
    with pytest.raises(DataError, match="expected a result of CoW"):
        read_cow_result(write(tmp_path, content))
