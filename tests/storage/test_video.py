from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest

from pentathlon.core import DataError
from pentathlon.storage import read_mp4, write_mp4


def moving_square(count: int, height: int, width: int) -> np.ndarray:
    frames = np.full((count, height, width, 3), (30, 90, 200), np.uint8)
    for index in range(count):
        frames[index, 8:24, 4 + 2 * index : 20 + 2 * index] = (220, 60, 20)
    return frames


@pytest.mark.parametrize(("height", "width"), [(48, 64), (47, 63)])
def test_frames_come_back_nearly_the_same(tmp_path: Path, height: int, width: int) -> None:
    frames = moving_square(12, height, width)
    write_mp4(tmp_path / "artifacts" / "video.mp4", frames, fps=10)
    read = read_mp4(tmp_path / "artifacts" / "video.mp4")
    assert read.shape == (12, 48, 64, 3)
    difference = np.abs(read[:, :height, :width].astype(int) - frames)
    assert difference.mean() < 6
    assert difference[:, 12:20, 40:].mean() < 4
    assert [path.name for path in (tmp_path / "artifacts").iterdir()] == ["video.mp4"]


def test_the_file_is_what_browsers_play(tmp_path: Path) -> None:
    write_mp4(tmp_path / "video.mp4", moving_square(20, 48, 64), fps=12.5)
    with av.open(str(tmp_path / "video.mp4")) as container:
        stream = container.streams.video[0]
        assert (stream.codec_context.name, stream.pix_fmt, float(stream.average_rate)) == ("h264", "yuv420p", 12.5)
    data = (tmp_path / "video.mp4").read_bytes()
    assert data.index(b"moov") < data.index(b"mdat")


def test_colours_are_tagged_so_that_players_agree(tmp_path: Path) -> None:
    write_mp4(tmp_path / "video.mp4", moving_square(2, 48, 64), fps=10)
    with av.open(str(tmp_path / "video.mp4")) as container:
        context = container.streams.video[0].codec_context
        assert (context.colorspace, context.color_primaries, context.color_trc, context.color_range) == (1, 1, 1, 1)


@pytest.mark.parametrize(
    "frames", [np.zeros((0, 8, 8, 3), np.uint8), np.zeros((2, 8, 8), np.uint8), np.zeros((2, 8, 8, 3), np.float32)]
)
def test_other_arrays_are_refused(tmp_path: Path, frames: np.ndarray) -> None:
    with pytest.raises(DataError, match=r"Expected uint8 frames\[T, H, W, 3\], got"):
        write_mp4(tmp_path / "video.mp4", frames, fps=10)
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_video_is_told(tmp_path: Path) -> None:
    (tmp_path / "video.mp4").write_bytes(b"no video")
    with pytest.raises(DataError, match="Expected a video at"):
        read_mp4(tmp_path / "video.mp4")
