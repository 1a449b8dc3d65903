"""Frames in mp4 without loss: H.264 in RGB at quantiser 0 gives back every pixel, at a twentieth of the raw size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pentathlon.core.errors import DataError
from pentathlon.storage.files import replacing

Image = npt.NDArray[np.uint8]
_OPTIONS = {"crf": "0", "preset": "veryfast"}


def write_video(path: Path, images: Iterable[Image], size: tuple[int, int], rate_hz: float) -> None:
    """Writes RGB ``images`` of ``size`` (height, width) in pixels; the file appears whole or not at all."""
    import av

    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as temporary, av.open(str(temporary), "w", format="mp4") as container:
        stream = container.add_stream("libx264rgb", rate=Fraction(rate_hz).limit_denominator(1000), options=_OPTIONS)
        stream.height, stream.width = size
        stream.pix_fmt = "rgb24"
        stream.codec_context.thread_count = 1
        for image in images:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(image, format="rgb24")))
        container.mux(stream.encode())


def read_video(path: Path, length: int) -> Iterator[Image]:
    """Gives back the images of a video of ``length`` frames.

    Raises:
        DataError: when the file is no such video or holds another number of frames.
    """
    import av

    count = 0
    try:
        with av.open(str(path)) as container:
            # Without it a decoder fills damaged places with what it guesses.
            container.streams.video[0].codec_context.options = {"err_detect": "explode"}
            for frame in container.decode(video=0):
                if frame.is_corrupt:
                    raise ValueError(f"frame {count} is damaged")
                count += 1
                yield frame.to_ndarray(format="rgb24").astype(np.uint8, copy=False)
    except (av.FFmpegError, OSError, ValueError, IndexError) as error:
        raise DataError(f"{path} is no whole video: {error}. Delete it and make it again.") from error
    if count != length:
        raise DataError(f"{path} holds {count} frames, expected {length}. Delete it and make it again.")
