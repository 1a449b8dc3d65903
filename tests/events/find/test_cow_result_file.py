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


# A result that comes with CoW's code: "gingerbread house" in FloorPlan_Val3_5, places to a tenth of a millimetre.
PLACES = """
4.5 -1.25 4.5004 -1.5011 4.5010 -1.7504 4.7135 -1.8750 4.8317 -2.0899 4.9498 -2.3090 4.9397 -2.5532 4.9295 -2.7978
4.9198 -3.0461 4.9091 -3.2954 4.9006 -3.5389 4.8912 -3.7897 4.8827 -4.0425 5.0041 -4.2637 5.2151 -4.3944 5.4303 -4.5269
5.6553 -4.4073 5.7843 -4.1963 5.9152 -3.9793 6.0452 -3.7663 6.1759 -3.5542 6.3130 -3.3293 6.4398 -3.1216 6.5701 -2.9082
6.7019 -2.6922 6.8316 -2.4796 6.9590 -2.2665"""
SHORTEST = "4.5 -1.25 4.53 -1.59 4.56 -1.71 4.62 -1.92 5.01 -3.99 5.16 -4.14 5.28 -4.14 5.4 -4.05 7.0 -2.5"
ACTIONS = "lllllllllrmmllmrmmrmmmmmmmlmlmmllmlmmmmmmmmmmrs"
NAMES = {"l": "RotateLeft", "r": "RotateRight", "m": "MoveAhead", "s": "Stop"}


def points(text: str, height_m: float) -> list[dict[str, float]]:
    numbers = [float(word) for word in text.split()]
    return [{"x": x, "y": height_m, "z": z} for x, z in zip(numbers[::2], numbers[1::2], strict=True)]


def test_a_released_result_has_the_numbers_of_its_authors(tmp_path: Path) -> None:
    moves, path = iter(points(PLACES, 0.901)), []
    here = next(moves)
    for letter in " " + ACTIONS:
        here = next(moves) if letter == "m" else here
        path.append({**here, "rotation": 60.0, "horizon": 0})
    taken = [{"action": NAMES[letter], "success": True} for letter in ACTIONS]
    metrics = {"trajectory": path, "actions_taken": taken, "success": True, "success_habitat": True}
    result = {"path": path, "shortest_path": points(SHORTEST, 0.00988), "success": True, "success_habitat": True}
    found = read_cow_result(write(tmp_path, {"episode_metrics": metrics, "episode_result": result}))
    assert len(taken) == 47
    assert found.success
    # Sums of the distances between the places of the file, to all of its digits.
    assert found.travelled_m == pytest.approx(6.4903, abs=5e-4)
    assert found.shortest_m == pytest.approx(5.4996, abs=5e-4)
    assert found.spl == pytest.approx(0.8474, abs=2e-4)
    assert (found.action_success, found.failure) == (1.0, "")


@pytest.mark.parametrize("content", [{}, [], {"episode_metrics": {}}, math.pi])
def test_other_files_are_refused(tmp_path: Path, content: Any) -> None:
    with pytest.raises(DataError, match="expected a result of CoW"):
        read_cow_result(write(tmp_path, content))
