"""Problem sets as a dataset of Inspect, read back by Inspect itself where it is installed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pentathlon.core.errors import DataError
from pentathlon.events.judge.data.inspection import write_samples
from pentathlon.events.judge.data.problem_sets import Clip, ProblemSet


def test_samples_hold_videos_choices_and_targets(coloured: ProblemSet, tmp_path: Path) -> None:
    path = write_samples([coloured], tmp_path / "set")
    samples = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(samples) == len(coloured.clips)
    assert len({sample["id"] for sample in samples}) == len(samples)
    sentences = list(coloured.descriptions.values())
    for sample, clip in zip(samples, coloured.clips, strict=True):
        assert sample["choices"] == sentences
        assert sentences[ord(sample["target"]) - ord("A")] == coloured.descriptions[clip.labels[0]]
        video = sample["input"][0]["content"][1]
        assert (path.parent / video["video"]).read_bytes() == clip.path.read_bytes()


def test_near_misses_are_asked_yes_or_no(coloured: ProblemSet, tmp_path: Path) -> None:
    label, sentence = next(iter(coloured.descriptions.items()))
    clips = (coloured.clips[0], Clip(coloured.clips[1].path, (), miss="steps swapped"))
    one = replace(coloured, descriptions={label: sentence}, clips=clips)
    done, missed = (json.loads(line) for line in write_samples([one], tmp_path).read_text().splitlines())
    assert (done["choices"], done["target"], missed["target"]) == (["yes", "no"], "A", "B")
    assert sentence in done["input"][0]["content"][0]["text"]
    assert missed["metadata"]["miss"] == "steps swapped"


def test_what_inspect_does_not_take_is_named(coloured: ProblemSet, tmp_path: Path) -> None:
    odd = tmp_path / "film.avi"
    odd.write_bytes(coloured.clips[0].path.read_bytes())
    with pytest.raises(DataError, match=r"film\.avi"):
        write_samples([replace(coloured, clips=(Clip(odd, coloured.clips[0].labels),))], tmp_path / "set")


def test_inspect_reads_the_dataset_back(coloured: ProblemSet, tmp_path: Path) -> None:
    dataset = pytest.importorskip("inspect_ai.dataset", reason="inspect_ai is not installed: pip install .[inspect]")
    path = write_samples([coloured], tmp_path / "set")
    read = dataset.json_dataset(str(path))
    assert len(read) == len(coloured.clips)
    for sample, clip in zip(read, coloured.clips, strict=True):
        text, video = sample.input[0].content
        assert (text.type, video.type, video.format) == ("text", "video", "mp4")
        assert Path(video.video.removeprefix("file://")).read_bytes() == clip.path.read_bytes()
        assert sample.choices == list(coloured.descriptions.values())
        assert sample.metadata["labels"] == list(clip.labels)
