"""Memory over many frames and many models: `python bench/eyes_leak.py` prints resident memory as it goes."""

from __future__ import annotations

import gc
import time
from dataclasses import dataclass

import mujoco
import numpy as np
import psutil
import tyro

from pentathlon.worlds.rendering.raycaster import Raycaster

MODEL = """<mujoco>
  <asset><texture name="t" type="2d" builtin="checker" rgb1="1 1 1" rgb2="0 0 0" width="256" height="256"/>
    <material name="m" texture="t" texrepeat="4 4" reflectance=".2"/></asset>
  <worldbody><light pos="0 0 3"/><camera name="view" pos="0 -3 2" xyaxes="1 0 0 0 .55 .83"/>
    <geom type="plane" size="0 0 .1" material="m"/>
    {bodies}</worldbody></mujoco>"""
BODY = '<body pos="{x} {y} {z}"><freejoint/><geom type="{kind}" size=".1 .1 .1" material="m"/></body>'
KINDS = ("sphere", "capsule", "box", "cylinder", "ellipsoid")


@dataclass(frozen=True)
class LeakBench:
    """Measure whether memory stays constant."""

    frames: int = 100_000
    """Frames of one model, with bodies that move at every frame."""
    models: int = 1_000
    """Models opened, rendered and closed one after the other."""
    side_px: int = 32

    def run(self) -> None:
        """Prints resident memory at ten points of both runs."""
        self._many_frames()
        self._many_models()

    def _many_frames(self) -> None:
        model = _model(np.random.default_rng(0))
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        start = time.perf_counter()
        with Raycaster(model, "fine") as eyes:
            for frame in range(self.frames):
                data.qpos[0] = 0.5 * np.sin(0.01 * frame)
                mujoco.mj_kinematics(model, data)
                eyes.render(data, "view", (self.side_px, self.side_px))
                _note("frame", frame, self.frames, start)

    def _many_models(self) -> None:
        generator = np.random.default_rng(1)
        start = time.perf_counter()
        for number in range(self.models):
            model = _model(generator)
            data = mujoco.MjData(model)
            mujoco.mj_forward(model, data)
            with Raycaster(model, "fine") as eyes:
                eyes.render(data, "view", (self.side_px, self.side_px))
            _note("model", number, self.models, start)


def _model(generator: np.random.Generator) -> mujoco.MjModel:
    bodies = "".join(
        BODY.format(x=x, y=y, z=z, kind=kind)
        for (x, y, z), kind in zip(generator.uniform(-1, 1, (20, 3)), 4 * KINDS, strict=True)
    )
    return mujoco.MjModel.from_xml_string(MODEL.format(bodies=bodies))


def _note(what: str, number: int, total: int, start: float) -> None:
    if number % (total // 10) == total // 10 - 1:
        gc.collect()
        resident = psutil.Process().memory_info().rss / 1e6
        print(f"{what} {number + 1}: {resident:.1f} MB, {time.perf_counter() - start:.0f} s", flush=True)


if __name__ == "__main__":
    tyro.cli(LeakBench).run()
