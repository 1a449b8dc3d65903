"""Frame sources: weights, packing of pictures, videos and functions, and what is refused."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest
import torch
from PIL import Image

from pentathlon.core.errors import DataError, UsageError
from pentathlon.learning.pretraining.frames import Frames, Mixture, Source, fit_square, open_mixture, open_source
from pentathlon.learning.pretraining.stream import stream_batches


def numbered(count: int, start: int = 0) -> Frames:
    return np.arange(start, start + count, dtype=np.uint8)[:, None, None, None].repeat(4, 1).repeat(4, 2).repeat(3, 3)


def test_weights_set_the_share_of_each_source() -> None:
    mixture = Mixture([Source("a", (numbered(10), numbered(20, 10))), Source("b", (numbered(10, 100),), weight=3.0)])
    draw = mixture.draw(30_000, np.random.default_rng(0))
    out = np.empty((30_000, 4, 4, 3), np.uint8)
    mixture.read(draw, out)
    # 30 frames of weight 1 and 10 of weight 3.
    assert (out[:, 0, 0, 0] >= 100).mean() == pytest.approx(0.5, abs=0.01)
    counts = np.bincount(out[:, 0, 0, 0], minlength=110)
    assert counts[:30].min() > 400
    assert counts[100:].min() > 1300


def test_files_and_folders_of_arrays_open(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", numbered(5))
    np.save(tmp_path / "b.npy", numbered(3))
    assert len(open_source(f"{tmp_path}/a.npy=2.5", frame_size=4, cache=tmp_path).shards[0]) == 5
    assert open_source(f"{tmp_path}/a.npy=2.5", frame_size=4, cache=tmp_path).weight == 2.5
    assert open_mixture([str(tmp_path)], frame_size=4, cache=tmp_path).frames == 8


def test_pictures_and_videos_are_packed_once(tmp_path: Path) -> None:
    folder = tmp_path / "mixed"
    folder.mkdir()
    Image.fromarray(np.full((20, 40, 3), 200, np.uint8)).save(folder / "wide.png")
    with av.open(str(folder / "clip.mp4"), "w") as container:
        stream = container.add_stream("mpeg4", rate=10)
        stream.width, stream.height, stream.pix_fmt = 32, 32, "yuv420p"
        for _ in range(20):
            frame = av.VideoFrame.from_ndarray(np.full((32, 32, 3), 90, np.uint8), format="rgb24")
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    source = open_source(str(folder), frame_size=16, cache=tmp_path / "cache")
    frames = np.concatenate([np.asarray(shard) for shard in source.shards])
    # Two seconds of video at two frames per second, and the picture.
    assert frames.shape == (5, 16, 16, 3)
    assert sorted(frames[:, 8, 8, 0] > 150) == [False] * 4 + [True]
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "cache").rglob("*.npy")}
    open_source(str(folder), frame_size=16, cache=tmp_path / "cache")
    assert before == {path: path.stat().st_mtime_ns for path in (tmp_path / "cache").rglob("*.npy")}


def test_functions_make_frames(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "frame_maker.py").write_text(
        "import numpy as np\ndef walk():\n    for i in range(3):\n        yield np.full((8, 8, 3), 10 * i, np.uint8)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    source = open_source("frame_maker:walk=2", frame_size=8, cache=tmp_path / "cache")
    assert source.weight == 2.0
    assert source.shards[0][:, 0, 0, 0].tolist() == [0, 10, 20]


def test_fit_square_takes_the_centre() -> None:
    frame = np.zeros((10, 30, 3), np.uint8)
    frame[:, 10:20] = 255
    assert fit_square(frame, 5).min() > 200


def test_bad_sources_are_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "float.npy", np.zeros((2, 4, 4, 3), np.float32))
    (tmp_path / "broken.npy").write_bytes(b"no array")
    (tmp_path / "empty").mkdir()
    (tmp_path / "torn").mkdir()
    (tmp_path / "torn" / "a.png").write_bytes(b"no picture")
    refused = {
        "float.npy": "float32",
        "broken.npy": "cannot be read",
        "empty": "got none",
        "torn": "Expected a picture",
    }
    for name, reason in refused.items():
        with pytest.raises(DataError, match=reason):
            open_source(str(tmp_path / name), frame_size=4, cache=tmp_path / "cache")
    assert not (tmp_path / "cache").exists()
    with pytest.raises(UsageError, match="Check the path"):
        open_source("nowhere.npy", frame_size=4, cache=tmp_path)
    with pytest.raises(UsageError, match="positive weight"):
        open_source("a.npy=-1", frame_size=4, cache=tmp_path)
    with pytest.raises(DataError, match="one size"):
        Mixture([Source("a", (numbered(2),)), Source("b", (np.zeros((2, 8, 8, 3), np.uint8),))])


def test_stream_gives_the_same_batch_for_a_step_wherever_it_starts() -> None:
    mixture = Mixture([Source("a", (numbered(50), numbered(50, 50)))])
    device = torch.device("cpu")
    whole = list(stream_batches(mixture, batch_size=8, steps=range(6), seed=1, device=device, threads=3))
    rest = list(stream_batches(mixture, batch_size=8, steps=range(4, 6), seed=1, device=device, threads=1))
    assert len(whole) == 6
    assert all(torch.equal(a, b) for a, b in zip(whole[4:], rest, strict=True))
    assert not torch.equal(whole[0], whole[1])
