"""Processes that start at once on an empty numba cache do not corrupt it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

LOOK = """
import mujoco
from pentathlon.worlds.rendering import Raycaster
model = mujoco.MjModel.from_xml_string('<mujoco><worldbody><geom size=".3"/></worldbody></mujoco>')
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)
frame = Raycaster(model).render(data, -1, (32, 24))
print(int((frame.geom_id == 0).sum()), int(frame.rgb.sum()))
"""


def start_together(count: int, cache: Path) -> list[str]:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    children = [
        subprocess.Popen([sys.executable, "-c", LOOK], env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(count)
    ]
    outputs = [child.communicate(timeout=500)[0] for child in children]
    assert [child.returncode for child in children] == [0] * count
    return outputs


def test_cold_starts_at_once_see_the_same(tmp_path: Path) -> None:
    cold = start_together(6, tmp_path)
    assert len(set(cold)) == 1
    assert int(cold[0].split()[0]) > 0
    assert any(tmp_path.rglob("*.nbi")), "the kernels were not cached where NUMBA_CACHE_DIR says"
    assert start_together(1, tmp_path) == cold[:1]
