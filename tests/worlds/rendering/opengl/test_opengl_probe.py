"""A broken OpenGL may hang or kill only a child process."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from pentathlon.core.errors import MissingDependencyError
from pentathlon.worlds.rendering.opengl import probe as opengl_probe


@pytest.fixture(autouse=True)
def _fresh_answer() -> Iterator[None]:
    """Asks anew in each test, and does not leave a made-up answer to the tests that follow."""
    opengl_probe.working_backend.cache_clear()
    yield
    opengl_probe.working_backend.cache_clear()


def test_a_hanging_driver_is_given_up() -> None:
    start_s = time.monotonic()
    assert not opengl_probe.backend_draws("egl", limit_s=0.5, script="import time; time.sleep(60)")
    assert time.monotonic() - start_s < 20


@pytest.mark.parametrize("script", ["raise SystemExit(1)", "import os; os.abort()", "print('black')"])
def test_a_failing_driver_does_not_draw(script: str) -> None:
    assert not opengl_probe.backend_draws("egl", script=script)


def test_a_drawing_driver_is_believed() -> None:
    assert opengl_probe.backend_draws(
        "egl", script="import os; print('seen' if os.environ['MUJOCO_GL'] == 'egl' else '')"
    )


def test_the_users_choice_is_the_only_candidate(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []
    monkeypatch.setenv("MUJOCO_GL", "osmesa")
    monkeypatch.setattr(opengl_probe, "backend_draws", lambda backend: bool(tried.append(backend)))
    assert not opengl_probe.opengl_works()
    assert not opengl_probe.opengl_works()
    assert tried == ["osmesa"]  # the second answer is remembered


def test_without_opengl_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opengl_probe, "backend_draws", lambda backend: False)
    with pytest.raises(MissingDependencyError, match="libosmesa6"):
        opengl_probe.use_working_backend()
