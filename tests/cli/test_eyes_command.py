"""`pentathlon eyes compare` writes one picture per model and says the numbers."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from pentathlon.cli.eyes import Eyes, parse_size
from pentathlon.core import DataError, UnknownIdError, UsageError
from pentathlon.worlds.rendering.gallery import compare

MODEL = '<mujoco><worldbody><light pos="0 0 3"/><geom size=".3" rgba="1 0 0 1"/></worldbody></mujoco>'


@pytest.fixture
def model_file(tmp_path: Path) -> Path:
    path = tmp_path / "ball.xml"
    path.write_text(MODEL)
    return path


def test_works_without_opengl(
    model_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compare, "opengl_works", lambda: False)
    assert Eyes("compare", (str(model_file),), size="40x30", out=tmp_path / "out").run() == 0
    assert "ray cast only" in capsys.readouterr().out
    with Image.open(tmp_path / "out/ball.png") as picture:
        assert picture.width == 2 * 40 + 2  # fast and fine


def test_unusable_models_are_named(tmp_path: Path) -> None:
    broken = tmp_path / "broken.xml"
    broken.write_text("<mujoco><worldbody><geom/></worldbody></mujoco>")
    with pytest.raises(DataError, match=r"broken\.xml"):
        Eyes("compare", (str(broken),), out=tmp_path).run()
    with pytest.raises(DataError, match=r"absent\.xml"):
        Eyes("compare", ("absent.xml",), out=tmp_path).run()
    with pytest.raises(UnknownIdError, match="textures"):
        Eyes("compare", ("texturs",), out=tmp_path).run()
    with pytest.raises(UsageError, match="--gallery"):
        Eyes("compare", out=tmp_path).run()


@pytest.mark.parametrize("text", ["", "320", "0x5", "axb", "3x", "-3x4"])
def test_sizes_are_checked(text: str) -> None:
    with pytest.raises(UsageError, match="320x240"):
        parse_size(text)


def test_a_size_is_width_times_height() -> None:
    assert parse_size("640x480") == (640, 480)
