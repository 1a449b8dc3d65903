"""Lossless video: every pixel comes back, and a file cut anywhere is refused or whole."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from pentathlon.core.errors import DataError
from pentathlon.storage.lossless_video import read_video, write_video


def test_a_video_cut_anywhere_is_refused_or_whole(tmp_path: Path) -> None:
    frames = list(np.random.default_rng(0).integers(0, 255, (4, 32, 32, 3)).astype(np.uint8))
    path = tmp_path / "v.mp4"
    write_video(path, iter(frames), (32, 32), 25.0)
    whole = path.read_bytes()
    np.testing.assert_array_equal(list(read_video(path, 4)), frames)
    refused = 0
    for length in range(0, len(whole), len(whole) // 120):
        path.write_bytes(whole[:length])
        try:
            np.testing.assert_array_equal(list(read_video(path, 4)), frames)
        except DataError:
            refused += 1
    assert refused > 100


def test_what_a_decoder_finds_damaged_is_refused_and_not_guessed(tmp_path: Path) -> None:
    frames = list(np.random.default_rng(0).integers(0, 255, (6, 64, 64, 3)).astype(np.uint8))
    path = tmp_path / "v.mp4"
    write_video(path, iter(frames), (64, 64), 25.0)
    whole = path.read_bytes()
    generator = np.random.default_rng(1)
    refused = 0
    for _ in range(40):
        spoiled = bytearray(whole)
        start = int(generator.integers(200, len(whole) // 2))
        spoiled[start : start + 400] = generator.bytes(400)
        path.write_bytes(spoiled)
        try:
            list(read_video(path, 6))
        except DataError:
            refused += 1
    assert refused > 20
