"""CortexBench's pickles: arrays are read, code is refused."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hostile_pickle import Attack
from pentathlon.core.errors import DataError
from pentathlon.events.see.data.cortexbench import read_cortexbench
from pentathlon.worlds.control import control_task

PEN, WALKER = control_task("adroit-pen"), control_task("dmcontrol-walker-walk")


def _path(steps: int = 3) -> dict[str, Any]:
    return {
        "images": np.arange(steps * 48, dtype=np.uint8).reshape(steps, 4, 4, 3),
        "actions": np.ones((steps, 24)),
        "rewards": np.arange(steps, dtype=np.float64),
        "env_infos": {"proprio": np.ones((steps, 45)), "scalar": np.float64(2.0)},
    }


@pytest.mark.parametrize("protocol", [2, 4, 5])
def test_paths_are_read_under_every_protocol(tmp_path: Path, protocol: int) -> None:
    file = tmp_path / "pen-v0.pickle"
    file.write_bytes(pickle.dumps([_path(), _path(5)], protocol=protocol))
    first, second = read_cortexbench(file, PEN)
    np.testing.assert_array_equal(first.images, _path()["images"])
    assert first.proprio.shape == (3, 24)
    assert second.actions.shape == (5, 24)
    assert read_cortexbench(file, WALKER)[0].proprio.shape == (3, 0)


def test_code_is_refused_and_not_run(tmp_path: Path) -> None:
    file, attack = tmp_path / "evil.pickle", Attack(tmp_path / "was-here")
    file.write_bytes(pickle.dumps([{**_path(), "extra": attack}]))
    with pytest.raises(DataError, match=r"asks for posix\.system, which is refused"):
        read_cortexbench(file, PEN)
    assert not attack.marker.exists()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "cannot be read"),
        (pickle.dumps([_path()])[:200], "cannot be read"),
        (pickle.dumps([]), "expected a list of paths"),
        (pickle.dumps([{"actions": np.ones((3, 24))}]), "lacks 'images'"),
        (pickle.dumps([{**_path(), "images": np.zeros((3, 4, 4, 3))}]), "expected uint8"),
        (pickle.dumps([{**_path(), "actions": np.ones((2, 24))}]), "as many of each"),
        (pickle.dumps([{**_path(), "env_infos": {}}]), "lacks env_infos.proprio"),
        (pickle.dumps([{**_path(), "actions": np.array([None, 1, 2])}]), "as objects"),
    ],
)
def test_broken_files_are_refused_with_the_reason(tmp_path: Path, content: bytes, reason: str) -> None:
    file = tmp_path / "broken.pickle"
    file.write_bytes(content)
    with pytest.raises(DataError, match=reason):
        read_cortexbench(file, PEN)
