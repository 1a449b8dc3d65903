"""Videos of trials: H.264 in MP4, which every browser plays."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pentathlon.core.errors import DataError
from pentathlon.storage.files import replacing

_OPTIONS = {"preset": "veryfast", "crf": "20"}
_BT709 = 1
_LIMITED = 1


def write_mp4(path: Path, frames: npt.NDArray[np.uint8], fps: float) -> None:
    """Writes ``frames[T, H, W, 3]`` (RGB); odd heights and widths get one more row or column.

    Raises:
        DataError: when the frames are of another shape or type, or there are none.
    """
    import av

    if frames.ndim != 4 or frames.shape[-1] != 3 or frames.dtype != np.uint8 or frames.size == 0:
        raise DataError(f"Expected uint8 frames[T, H, W, 3], got {frames.dtype}{list(frames.shape)} for {path.name}.")
    even = np.pad(frames, ((0, 0), (0, frames.shape[1] % 2), (0, frames.shape[2] % 2), (0, 0)), mode="edge")
    path.parent.mkdir(parents=True, exist_ok=True)
    with (
        replacing(path) as temporary,
        av.open(str(temporary), "w", format="mp4", options={"movflags": "faststart"}) as container,
    ):
        stream = container.add_stream("libx264", rate=Fraction(fps).limit_denominator(1000), options=_OPTIONS)
        stream.height, stream.width = even.shape[1:3]
        stream.pix_fmt = "yuv420p"
        context = stream.codec_context
        # Workers already fill the cores.
        context.thread_count = 1
        # Players guess the colours of untagged videos, each in its own way.
        context.colorspace = context.color_primaries = context.color_trc = _BT709
        context.color_range = _LIMITED
        for image in even:
            frame = av.VideoFrame.from_ndarray(image, format="rgb24")
            converted = frame.reformat(format="yuv420p", dst_colorspace=_BT709, dst_color_range=_LIMITED)
            container.mux(stream.encode(converted))
        container.mux(stream.encode())


def read_mp4(path: Path) -> npt.NDArray[np.uint8]:
    """Reads the frames of a video as ``uint8[T, H, W, 3]`` (RGB).

    Raises:
        DataError: when the file is no video.
    """
    import av

    try:
        with av.open(str(path)) as container:
            return np.stack([frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)])
    except (av.FFmpegError, IndexError, ValueError) as error:
        raise DataError(f"Expected a video at {path}, could not read one ({error}). Make it again.") from error
