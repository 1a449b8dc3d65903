"""Frames of videos: evenly spaced, from any codec, and a sentence for every broken file."""

from __future__ import annotations

import struct
from pathlib import Path

import av
import numpy as np
import pytest

from pentathlon.core.errors import DataError
from pentathlon.events.judge.data.frames import count_frames, even_places, read_frames
from pentathlon.storage.video import write_mp4

LENGTH = 41


def numbered(length: int = LENGTH) -> np.ndarray:
    """Frames whose brightness is their number, five levels apart."""
    return np.broadcast_to(np.arange(length, dtype=np.uint8)[:, None, None, None] * 5, (length, 32, 48, 3)).copy()


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("films") / "film.mp4"
    write_mp4(path, numbered(), fps=10)
    return path


def test_first_and_last_are_among_them() -> None:
    assert even_places(41, 5).tolist() == [0, 10, 20, 30, 40]
    assert even_places(7, 7).tolist() == list(range(7))


def test_the_right_frames_come_back(film: Path) -> None:
    frames = read_frames(film, 5)
    assert frames.shape == (5, 32, 48, 3)
    np.testing.assert_allclose(frames.mean(axis=(1, 2, 3)), [0, 50, 100, 150, 200], atol=3)


@pytest.mark.parametrize(("codec", "suffix"), [("mpeg4", ".avi"), ("mjpeg", ".mkv")])
def test_other_codecs_are_read(tmp_path: Path, codec: str, suffix: str) -> None:
    path = tmp_path / f"film{suffix}"
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=10)
        stream.height, stream.width = 32, 48
        stream.pix_fmt = "yuvj420p" if codec == "mjpeg" else "yuv420p"
        for image in numbered():
            container.mux(stream.encode(av.VideoFrame.from_ndarray(image, format="rgb24")))
        container.mux(stream.encode())
    np.testing.assert_allclose(read_frames(path, 5).mean(axis=(1, 2, 3)), [0, 50, 100, 150, 200], atol=6)


def test_a_clip_cut_without_encoding_it_anew_is_read(film: Path, tmp_path: Path) -> None:
    """Its first packets, from the key frame on, are there to decode the others and never shown."""
    path = tmp_path / "clip.mp4"
    with av.open(str(film)) as given, av.open(str(path), "w") as container:
        stream = container.add_stream_from_template(given.streams.video[0])
        for packet in given.demux(video=0):
            if packet.dts is not None and packet.pts is not None:
                shift = 10 * packet.duration
                packet.pts, packet.dts, packet.stream = packet.pts - shift, packet.dts - shift, stream
                container.mux(packet)
    assert count_frames(path) < 41
    shown = read_frames(path, 3).mean(axis=(1, 2, 3))
    np.testing.assert_allclose(shown[-1], 200, atol=3)
    assert shown[0] > 30


def test_broken_videos_are_named(film: Path, tmp_path: Path) -> None:
    whole = film.read_bytes()
    cut, text, empty = tmp_path / "cut.mp4", tmp_path / "text.mp4", tmp_path / "empty.mp4"
    cut.write_bytes(whole[: len(whole) * 2 // 3])
    text.write_text("no video")
    empty.write_bytes(b"")
    for path in (cut, text, empty, tmp_path, tmp_path / "gone.mp4"):
        with pytest.raises(DataError, match=f"Expected a (whole )?video at {path}"):
            read_frames(path, 5)
    with pytest.raises(DataError, match=rf"at least 42 frames in {film}, got 41"):
        read_frames(film, 42)


def test_files_without_pictures_are_named(tmp_path: Path) -> None:
    silent, sound = tmp_path / "silent.mkv", tmp_path / "sound.wav"
    with av.open(str(silent), "w") as container:
        stream = container.add_stream("mpeg4", rate=10)
        stream.height, stream.width, stream.pix_fmt = 32, 48, "yuv420p"
        container.start_encoding()
    with av.open(str(sound), "w") as container:
        audio = container.add_stream("pcm_s16le", rate=8000)
        heard = av.AudioFrame.from_ndarray(np.zeros((1, 800), np.int16), format="s16", layout="mono")
        heard.sample_rate = 8000
        container.mux(audio.encode(heard))
    for path in (silent, sound):
        with pytest.raises(DataError, match=str(path)):
            read_frames(path, 5)


# The four numbers of a track's matrix that turn pictures, a b c d in 16.16 fixed point, each followed by a zero.
TURNS = {90: (0, 1, -1, 0), 180: (-1, 0, 0, -1), 270: (0, -1, 1, 0)}


@pytest.mark.parametrize("clockwise", TURNS)
def test_a_phone_s_video_is_read_upright(tmp_path: Path, clockwise: int) -> None:
    """Phones film lying on their side and write into the track's header how to turn the pictures."""
    path, shown = tmp_path / "phone.mp4", np.zeros((32, 48, 3), np.uint8)
    shown[:16, :24] = 250
    write_mp4(path, np.stack([np.rot90(shown, clockwise // 90)] * 12), fps=10)
    data = bytearray(path.read_bytes())
    a, b, c, d = TURNS[clockwise]
    matrix = struct.pack(">9i", a << 16, b << 16, 0, c << 16, d << 16, 0, 0, 0, 1 << 30)
    plain = struct.pack(">9i", 1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30)
    at = data.index(plain, data.index(b"tkhd"))
    data[at : at + 36] = matrix
    path.write_bytes(data)
    frames = read_frames(path, 3)
    assert frames.shape == (3, 32, 48, 3)
    assert frames[1, 8, 12].min() > 200
    assert frames[1, [8, 24, 24], [36, 12, 36]].max() < 50


def test_a_stream_that_ends_before_it_says_is_cut_short(tmp_path: Path) -> None:
    """Matroska can be read up to where it was cut; what is left is not the film."""
    whole, cut = tmp_path / "whole.mkv", tmp_path / "cut.mkv"
    with av.open(str(whole), "w") as container:
        stream = container.add_stream("mjpeg", rate=10)
        stream.height, stream.width, stream.pix_fmt = 32, 48, "yuvj420p"
        for image in numbered():
            container.mux(stream.encode(av.VideoFrame.from_ndarray(image, format="rgb24")))
        container.mux(stream.encode())
    assert count_frames(whole) == LENGTH
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size * 2 // 3])
    with pytest.raises(DataError, match=rf"Expected a whole video at {cut}, it breaks off after 2\.\d of 4\.1 seconds"):
        read_frames(cut, 5)


def test_a_codec_that_nobody_knows_is_named(tmp_path: Path) -> None:
    path = tmp_path / "odd.avi"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=10)
        stream.height, stream.width, stream.pix_fmt = 32, 48, "yuv420p"
        for image in numbered():
            container.mux(stream.encode(av.VideoFrame.from_ndarray(image, format="rgb24")))
        container.mux(stream.encode())
    path.write_bytes(path.read_bytes().replace(b"FMP4", b"QQ77").replace(b"fmp4", b"qq77"))
    with pytest.raises(DataError, match=str(path)):
        read_frames(path, 5)
