"""Problem sets as a dataset of Inspect: a sample for each video, with the descriptions to choose from.

``samples.jsonl`` is read by ``inspect_ai.dataset.json_dataset``; videos lie beside it in ``videos``, so that the folder
can be moved.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pentathlon.core.errors import DataError
from pentathlon.events.judge.data.frames import count_frames
from pentathlon.events.judge.data.problem_sets import Clip, ProblemSet
from pentathlon.storage.files import write_durably

SAMPLES, VIDEOS = "samples.jsonl", "videos"
FORMATS = {".mp4": "mp4", ".m4v": "mp4", ".mov": "mov", ".mpeg": "mpeg", ".mpg": "mpeg"}
"""What Inspect takes as video content, by suffix."""
LETTERS = 26
WHICH, SEVERAL, DONE = (
    "Which of these descriptions fits the video?",
    "Which of these descriptions fit the video? Several may.",
    "Does the video show that this was done, all of it and in this order? {sentence}",
)
YES_NO = ("yes", "no")


def write_samples(problem_sets: Sequence[ProblemSet], out: Path) -> Path:
    """Copies the videos of problem sets, writes a sample for each, and returns the file of samples.

    Raises:
        DataError: naming the video that is missing, broken or of a format that Inspect does not take.
    """
    (out / VIDEOS).mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(sample, ensure_ascii=False) for one in problem_sets for sample in _samples(one, out)]
    path = out / SAMPLES
    write_durably(path, ("\n".join(lines) + "\n").encode())
    return path


def _samples(problem_set: ProblemSet, out: Path) -> Iterator[dict[str, Any]]:
    for number, clip in enumerate(problem_set.clips):
        name = f"{problem_set.id}/{number:03d}"
        content = [{"type": "text", "text": _question(problem_set)}, _video(clip.path, name, out)]
        yield {
            "id": name,
            "input": [{"role": "user", "content": content}],
            "choices": list(_choices(problem_set)),
            "target": _target(problem_set, clip),
            "metadata": {
                "problem_set": problem_set.id,
                "environment": problem_set.environment,
                "level": problem_set.level,
                "group": problem_set.group,
                "instruction": problem_set.instruction,
                "labels": list(clip.labels),
                "miss": clip.miss,
            },
        }


def _question(problem_set: ProblemSet) -> str:
    sentences = list(problem_set.descriptions.values())
    if len(sentences) == 1:
        return DONE.format(sentence=sentences[0])
    return SEVERAL if problem_set.multi_label else WHICH


def _choices(problem_set: ProblemSet) -> Sequence[str]:
    sentences = list(problem_set.descriptions.values())
    return YES_NO if len(sentences) == 1 else sentences


def _target(problem_set: ProblemSet, clip: Clip) -> str | list[str]:
    labels = list(problem_set.descriptions)
    if len(labels) == 1:
        return _letter(0 if clip.labels else 1)
    letters = [_letter(labels.index(label)) for label in clip.labels]
    return letters if problem_set.multi_label else letters[0]


def _letter(place: int) -> str:
    """What Inspect calls a choice: letters, then numbers from 1 on."""
    return chr(ord("A") + place) if place < LETTERS else str(place - LETTERS + 1)


def _video(path: Path, name: str, out: Path) -> dict[str, str]:
    """Copies a video by the name of its sample: two of a dataset may have the same, in two folders."""
    if path.suffix.lower() not in FORMATS:
        raise DataError(f"Expected a video that Inspect takes ({', '.join(FORMATS)}), got {path}. Convert it.")
    if not count_frames(path):
        raise DataError(f"Expected a video at {path}, got one without frames. Make it again.")
    copy = out / VIDEOS / f"{name.replace('/', '-')}{path.suffix.lower()}"
    if not copy.exists() or copy.stat().st_size != path.stat().st_size:
        shutil.copyfile(path, copy)
    return {"type": "video", "video": f"{VIDEOS}/{copy.name}", "format": FORMATS[path.suffix.lower()]}
