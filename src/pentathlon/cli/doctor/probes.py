"""What ``pentathlon doctor`` tries in child processes; each probe returns one line or raises."""

from __future__ import annotations

import tempfile
from contextlib import closing
from pathlib import Path

import numpy as np

from pentathlon.core.eyes import Renderer

SPHERE_SCENE = """
<mujoco>
  <worldbody>
    <light pos="0 0 3"/>
    <geom type="sphere" size="0.5"/>
    <camera name="probe" pos="0 -2 0" xyaxes="1 0 0 0 0 1"/>
  </worldbody>
</mujoco>
"""


def probe_raycast() -> str:
    """Looks at a sphere with the ray caster."""
    return _probe_renderer("raycast")


def probe_opengl() -> str:
    """Looks at a sphere with MuJoCo's OpenGL renderer."""
    return _probe_renderer("opengl")


def probe_torch() -> str:
    """Multiplies two matrices on the best device."""
    import torch

    device = "cuda" if torch.cuda.is_available() else "cpu"
    product = torch.ones(8, 8, device=device) @ torch.ones(8, 8, device=device)
    if float(product[0, 0]) != 8.0:
        raise RuntimeError(f"a matrix product on {device} is wrong: {float(product[0, 0])} instead of 8")
    return f"torch {torch.__version__} on {torch.cuda.get_device_name() if device == 'cuda' else device}"


def probe_video() -> str:
    """Writes a short mp4 and reads it back."""
    from pentathlon.storage import read_mp4, write_mp4

    frames = np.full((4, 64, 64, 3), 128, np.uint8)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "probe.mp4"
        write_mp4(path, frames, fps=10)
        if read_mp4(path).shape != frames.shape:
            raise RuntimeError(f"wrote {frames.shape[0]} frames, read {read_mp4(path).shape[0]}")
    return "mp4 (h264) written and read"


def probe_ray() -> str:
    """Imports Ray."""
    import ray

    return f"Ray {ray.__version__}"


def probe_sandbox() -> str:
    """Runs Python in the sandbox of submitted agents."""
    from pentathlon.server.sandbox import cgroups, sandbox_problem

    problem = sandbox_problem()
    if problem is not None:
        raise RuntimeError(problem)
    if not cgroups.works():
        return "bubblewrap and seccomp; no control groups: serve refuses uploads, check-entrant watches memory instead"
    return "bubblewrap, seccomp and control groups"


def _probe_renderer(renderer: Renderer) -> str:
    import mujoco

    from pentathlon.worlds.rendering import open_eyes

    model = mujoco.MjModel.from_xml_string(SPHERE_SCENE)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    with closing(open_eyes(model, renderer=renderer)) as eyes:
        depth_m = float(eyes.render(data, camera="probe", size=(33, 33)).depth_m[16, 16])
        if abs(depth_m - 1.5) > 0.01:
            raise RuntimeError(f"a sphere 1.5 m away is seen at {depth_m:.3f} m")
        return f"{eyes.info.name} {eyes.info.version}, mujoco {mujoco.__version__}"
