"""A run of see tells which eyes it saw with."""

from pathlib import Path

from pentathlon.core import TASKS, resolve_entrant
from pentathlon.engine import RunFolder, RunRequest, run
from pentathlon.worlds.rendering.raycaster import RAYCAST_VERSION


def test_run_json_holds_the_renderer_s_name_version_and_setting(tmp_path: Path) -> None:
    task = TASKS.get("see/dmcontrol-reacher-easy-v1")
    request = RunRequest(task, resolve_entrant("mean-colour"), tmp_path, videos=False, overrides=task.rehearsal)
    info = RunFolder.open(run(request).folder).info
    assert info.renderer == {"name": "raycast", "version": RAYCAST_VERSION, "setting": "fast-v1"}
