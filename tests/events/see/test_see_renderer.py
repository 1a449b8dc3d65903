"""A run of see tells which eyes it saw with."""

from pathlib import Path

import pytest

from pentathlon.core import TASKS, resolve_entrant
from pentathlon.engine import RunFolder, RunRequest, run
from pentathlon.worlds.rendering.opengl.probe import opengl_works
from pentathlon.worlds.rendering.raycaster import RAYCAST_VERSION


def test_run_json_holds_the_renderer_s_name_version_and_setting(tmp_path: Path) -> None:
    task = TASKS.get("see/dmcontrol-reacher-easy-v1")
    request = RunRequest(task, resolve_entrant("mean-colour"), tmp_path, videos=False, overrides=task.rehearsal)
    info = RunFolder.open(run(request).folder).info
    assert info.renderer == {"name": "raycast", "version": RAYCAST_VERSION, "setting": "fast-v1"}


def test_a_run_with_opengl_draws_in_one_thread(tmp_path: Path) -> None:
    if not opengl_works():
        pytest.skip("no OpenGL here")
    task = TASKS.get("see/dmcontrol-reacher-easy-v1")
    overrides = {**task.rehearsal, "renderer": "opengl"}
    summary = run(RunRequest(task, resolve_entrant("mean-colour"), tmp_path, videos=False, overrides=overrides))
    assert summary.errors == 0
    assert RunFolder.open(summary.folder).info.renderer["name"] == "opengl"
