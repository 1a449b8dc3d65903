"""Starts many processes at once on an empty numba cache; all must see the same: `python bench/eyes_cold_start.py`."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass

import tyro

LOOK = """
import hashlib, mujoco
from pentathlon.worlds.rendering import Raycaster
from pentathlon.worlds.rendering.gallery.models import exhibit
shown = exhibit("shapes")
model = shown.load()
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)
digest = hashlib.sha256()
for setting in ("fast", "fine"):
    frame = Raycaster(model, setting=setting).render(data, shown.camera, (64, 48))
    for part in (frame.rgb, frame.depth_m, frame.geom_id):
        digest.update(part.tobytes())
print(digest.hexdigest())
"""


@dataclass(frozen=True)
class ColdStarts:
    """Count how many cold starts end well."""

    waves: int = 10
    """Each wave starts on an empty cache."""
    processes: int = 20
    """Processes started at the same moment in each wave."""

    def run(self) -> int:
        """Prints one line per wave; the status is 1 if any process failed or saw something else."""
        seen: Counter[str] = Counter()
        for wave in range(self.waves):
            start_s = time.perf_counter()
            answers = _wave(self.processes)
            seen.update(answers)
            took_s = time.perf_counter() - start_s
            failed = answers.count("failed")
            summary = f"{len(set(answers))} answers, {failed} failed"
            print(f"wave {wave + 1}: {len(answers)} processes in {took_s:.1f} s, {summary}", flush=True)
        print(f"{seen.total()} cold starts, {seen['failed']} failed, {len(set(seen) - {'failed'})} different pictures")
        return int(len(seen) != 1 or seen["failed"] > 0)


def _wave(count: int) -> list[str]:
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
        children = [
            subprocess.Popen([sys.executable, "-c", LOOK], env=environment, stdout=subprocess.PIPE, text=True)
            for _ in range(count)
        ]
        outputs = [child.communicate()[0].strip() for child in children]
        return [text if child.returncode == 0 else "failed" for child, text in zip(children, outputs, strict=True)]


if __name__ == "__main__":
    sys.exit(tyro.cli(ColdStarts).run())
