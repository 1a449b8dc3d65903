"""Finds out, without risk to this process, whether MuJoCo's OpenGL renderer works here and through which library.

A broken driver may hang or kill the process that loads it, so each candidate is tried in a child with a time limit.
"""

from __future__ import annotations

import functools
import importlib
import os
import subprocess
import sys

from pentathlon.core.errors import MissingDependencyError

_PROBE = """
import mujoco
model = mujoco.MjModel.from_xml_string('<mujoco><worldbody><geom size=".3"/></worldbody></mujoco>')
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)
with mujoco.Renderer(model, 32, 32) as renderer:
    renderer.update_scene(data)
    print("seen" if renderer.render().any() else "black")
"""


def _candidates() -> list[str]:
    if chosen := os.environ.get("MUJOCO_GL"):
        return [chosen]
    return ["egl", "osmesa", "glfw"] if sys.platform == "linux" else [""]


def backend_draws(backend: str, limit_s: float = 60.0, script: str = _PROBE) -> bool:
    """Returns whether a child process using this value of `MUJOCO_GL` draws a picture within the time limit."""
    environment = {**os.environ, "MUJOCO_GL": backend}
    command = [sys.executable, "-P", "-c", script]
    try:
        child = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=limit_s, check=False)
    except subprocess.TimeoutExpired:
        return False
    return child.returncode == 0 and "seen" in child.stdout


@functools.cache
def working_backend() -> str | None:
    """Returns the first value of `MUJOCO_GL` that draws here, or None; asked once per process."""
    return next((backend for backend in _candidates() if backend_draws(backend)), None)


def opengl_works() -> bool:
    """Returns whether `OpenGLEyes` can be used on this machine."""
    return working_backend() is not None


def use_working_backend() -> str:
    """Makes `mujoco.Renderer` use the working library, whatever `MUJOCO_GL` was when mujoco was imported.

    Raises:
        MissingDependencyError: OpenGL does not work here.
    """
    backend = working_backend()
    if backend is None:
        raise MissingDependencyError(
            "OpenGL",
            "apt-get install libegl1 libgl1-mesa-dri (or libosmesa6), or a graphics driver",
            why="No MuJoCo picture could be drawn through EGL, OSMesa or a display; the ray caster needs none of them.",
        )
    if backend in ("egl", "osmesa", "glfw"):
        from mujoco.rendering.classic import gl_context

        # mujoco reads MUJOCO_GL only once, at its first import, which may long be past.
        gl_context.GLContext = importlib.import_module(f"mujoco.{backend}").GLContext
    return backend
