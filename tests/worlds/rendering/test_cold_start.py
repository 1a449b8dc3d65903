"""Processes that start at once on an empty cache see the same, and one of them compiles for all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pentathlon.worlds.rendering.kernels import cache

LOOK = """
import mujoco
from pentathlon.worlds.rendering import Raycaster
from pentathlon.worlds.rendering.kernels import image
model = mujoco.MjModel.from_xml_string('<mujoco><worldbody><geom size=".3"/></worldbody></mujoco>')
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)
frame = Raycaster(model).render(data, -1, (32, 24))
print(int((frame.geom_id == 0).sum()), int(frame.rgb.sum()))
print(sum(image.trace_image.stats.cache_hits.values()))
"""


def start_together(count: int, folder: Path) -> list[list[str]]:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    children = [
        subprocess.Popen([sys.executable, "-c", LOOK], env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(count)
    ]
    outputs = [child.communicate(timeout=500)[0] for child in children]
    assert [child.returncode for child in children] == [0] * count
    return [output.splitlines() for output in outputs]


def test_cold_starts_at_once_compile_once_and_see_the_same(tmp_path: Path) -> None:
    pictures, hits = zip(*start_together(4, tmp_path), strict=True)
    assert len(set(pictures)) == 1
    assert int(pictures[0].split()[0]) > 0
    assert sorted(hits) == ["0", "1", "1", "1"]
    assert any(tmp_path.rglob("*.nbi")), "the kernels were not cached where NUMBA_CACHE_DIR says"


def test_the_lock_is_free_after_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "FOLDER", tmp_path)
    entered = []
    with pytest.raises(ValueError, match="broken"), cache.compiled_once("kernel"):
        raise ValueError("broken")
    assert not (tmp_path / "kernel.done").exists()
    for _ in range(2):
        with cache.compiled_once("kernel"):
            entered.append((tmp_path / "kernel.done").exists())
    assert entered == [False, True]


def test_a_folder_that_cannot_be_written_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file"))
    monkeypatch.setattr("tempfile.mkdtemp", lambda prefix: str(tmp_path / prefix))
    assert cache.cache_folder().parent == tmp_path
