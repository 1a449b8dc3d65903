"""Takes evenly spaced frames from any video, decoding once and keeping only those."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from pentathlon.core.errors import DataError

if TYPE_CHECKING:
    from av import VideoFrame, VideoStream

Frames: TypeAlias = npt.NDArray[np.uint8]

LEAST_SHARE = 0.9
"""Of the time that a Matroska file says it shows; below it the file was cut short."""


def even_places(total: int, count: int) -> npt.NDArray[np.int64]:
    """Which of ``total`` frames to take: ``count`` of them at equal steps, the first and the last included."""
    return np.asarray(np.round(np.linspace(0, total - 1, count)), np.int64)


def read_frames(path: Path, count: int) -> Frames:
    """Reads ``count`` evenly spaced frames as ``uint8[count, H, W, 3]`` (RGB).

    Raises:
        DataError: naming the file, when it is missing, a folder, no video, cut short or has too few frames.
    """
    total = count_frames(path)
    if total < count:
        raise DataError(f"Expected at least {count} frames in {path}, got {total}. Ask for fewer frames.")
    wanted = even_places(total, count)
    kept = _decode(path, frozenset(wanted.tolist()))
    return np.stack([kept[place] for place in wanted.tolist()])


def read_prefixes(path: Path, count: int, prefixes: int) -> list[Frames]:
    """Reads ``count`` evenly spaced frames of each prefix; their lengths rise by equal steps to the whole.

    A prefix that is shorter shows some frames twice.

    Raises:
        DataError: as :func:`read_frames`.
    """
    total = count_frames(path)
    if total < prefixes:
        raise DataError(f"Expected at least {prefixes} frames in {path}, got {total}. Ask for fewer prefixes.")
    places = [even_places(round(total * (one + 1) / prefixes), count).tolist() for one in range(prefixes)]
    kept = _decode(path, frozenset(place for row in places for place in row))
    return [np.stack([kept[place] for place in row]) for row in places]


def count_frames(path: Path) -> int:
    """Counts by reading packets, which costs no decoding; what containers say of themselves is often wrong.

    What a clip cut without encoding it anew keeps before its beginning is never shown, and not counted.
    """
    import av

    if not path.is_file():
        what = "a folder" if path.is_dir() else "nothing"
        raise DataError(f"Expected a video at {path}, got {what}. Give the path of a video file.")

    try:
        with av.open(str(path)) as container:
            if not container.streams.video:
                raise DataError(f"Expected a video at {path}, got a file without pictures. Choose another file.")
            shown, end_s = 0, 0.0
            for packet in container.demux(video=0):
                if packet.size and not packet.is_discard:
                    shown += 1
                    end_s = max(end_s, float(((packet.pts or 0) + (packet.duration or 0)) * packet.time_base))
            told_s = _told_s(container.streams.video[0])
    except (av.FFmpegError, ValueError) as error:
        raise DataError(f"Expected a video at {path}, could not read one ({error}). Make it again.") from error
    if end_s < LEAST_SHARE * told_s:
        seconds = f"{end_s:.1f} of {told_s:.1f} seconds"
        raise DataError(f"Expected a whole video at {path}, it breaks off after {seconds}. Make it again.")
    return shown


def _told_s(stream: VideoStream) -> float:
    """How long a stream says it is: in Matroska and WebM, which are read up to where they end; else 0.

    MP4 tells where every frame lies, and one cut short cannot be opened; live streams, such as MPEG-TS, tell nothing.
    """
    hours, colon, rest = stream.metadata.get("DURATION", "").partition(":")
    minutes, _, seconds = rest.partition(":")
    try:
        return 3600.0 * int(hours) + 60.0 * int(minutes) + float(seconds) if colon else 0.0
    except ValueError:
        return 0.0


def _upright(frame: VideoFrame) -> Frames:
    """The picture as players show it: phones film lying on their side, and say so."""
    picture = np.asarray(frame.to_ndarray(format="rgb24"), np.uint8)
    return np.ascontiguousarray(np.rot90(picture, round(frame.rotation / 90)))


def _decode(path: Path, wanted: frozenset[int]) -> dict[int, Frames]:
    import av

    kept: dict[int, Frames] = {}
    last = max(wanted)
    try:
        with av.open(str(path)) as container:
            container.streams.video[0].thread_type = "AUTO"
            for place, frame in enumerate(container.decode(video=0)):
                if place in wanted:
                    kept[place] = _upright(frame)
                if place == last:
                    break
    except (av.FFmpegError, ValueError) as error:
        raise DataError(f"Expected a whole video at {path}, it breaks off ({error}). Make it again.") from error
    if missing := wanted - kept.keys():
        raise DataError(f"Expected a whole video at {path}, frame {min(missing)} cannot be decoded. Make it again.")
    return kept
