"""What judging costs: films made, frames decoded and embedded beside a plain loop, and scores computed again.

    python bench/judge.py [--sets 3] [--videos 4500]

Seconds are CPU seconds of this process and wall seconds; on a busy machine only the former say something.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import av
import numpy as np
import torch

from pentathlon.core import Outcome, Workspace
from pentathlon.events.judge.data import films
from pentathlon.events.judge.data.frames import Frames, even_places
from pentathlon.events.judge.data.problem_sets import ProblemSet
from pentathlon.events.judge.films.worlds import plan
from pentathlon.events.judge.protocol import make_protocol
from pentathlon.events.judge.records import Sheet, sheet_metrics
from pentathlon.events.judge.tasks import JudgeTask
from pentathlon.events.judge.trial import run_trial
from pentathlon.models.image_text.dense import SENTENCE_TOKENS, prepare
from pentathlon.models.image_text.trained import load_dense
from pentathlon.models.judges.dense import BUILTIN, DenseJudge, make_dense


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Returns CPU and wall seconds."""
    cpu, wall = time.process_time(), time.perf_counter()
    work()
    return time.process_time() - cpu, time.perf_counter() - wall


class PlainJudge:
    """What one would write first: the network as it was trained, in single precision."""

    def __init__(self) -> None:
        trained = load_dense(BUILTIN)
        self._network, self._pieces = trained.network, trained.pieces
        self._sharpness = trained.network.sharpness.detach().exp()

    @torch.inference_mode()
    def score(self, frame: Frames, sentences: Sequence[str]) -> torch.Tensor:
        """Scores sentences for one frame."""
        texts = self._network.texts(torch.from_numpy(self._pieces(list(sentences), SENTENCE_TOKENS)))
        seen = self._network.pictures(prepare(torch.from_numpy(frame), None))
        cosine = torch.einsum("bdhw,kd->bkhw", seen, texts).flatten(2)
        return torch.logsumexp(cosine * self._sharpness, dim=2) / self._sharpness


def plain_loop(sets: Sequence[ProblemSet], judge: PlainJudge | DenseJudge, count: int) -> None:
    """One video after the other: every frame decoded and turned into pixels, each looked at by itself."""
    for one in sets:
        for clip in one.clips:
            with av.open(str(clip.path)) as container:
                frames = [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]
            for place in even_places(len(frames), count):
                judge.score(frames[place][None], list(one.descriptions.values()))


def stored(videos: int) -> list[Outcome]:
    """Records of problem sets of nine videos and nine sentences."""
    rng = np.random.default_rng(0)
    labels = tuple(f"label_{i}" for i in range(9))
    found = []
    for number in range(videos // 9):
        sheet = Sheet(labels, labels, tuple((label,) for label in labels), rng.random((9, 9)))
        found.append(
            Outcome(f"set-{number}", sheet_metrics(sheet, "match"), cluster=f"set-{number}", details=sheet.plain())
        )
    return found


def main() -> int:
    """Prints one line for each measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=3)
    parser.add_argument("--videos", type=int, default=4500)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        films.films_folder = lambda: Path(folder)
        sets = plan("virtual-home", "permutation", 3, "full")[: given.sets + 1]
        films.make_films(sets[0])  # compiles
        made = sum(len(one.clips) for one in sets[1:])
        cpu_s, wall_s = timed(lambda: films.make_all_films(sets[1:]))
        frames = sum(films.read_log(clip.path).frames for one in sets[1:] for clip in one.clips)
        rate = f"{60 * made / cpu_s:.1f} a CPU minute ({frames / cpu_s:.0f} frames/s)"
        print(f"films: {rate}, {60 * made / wall_s:.1f} a minute")
        judge = make_dense()
        protocol = replace(make_protocol("bench", "full", "match", sets), frames=16)
        workspace = Workspace(Path(folder), videos=False)
        run_trial(sets[1], judge, protocol, workspace)
        ours = timed(lambda: [run_trial(one, judge, protocol, workspace) for one in sets[1:]])
        alone = PlainJudge()
        plain = timed(lambda: plain_loop(sets[1:], alone, 16))
        same = timed(lambda: plain_loop(sets[1:], judge, 16))
        for name, (cpu_s, wall_s) in (("judged", ours), ("plain loop", plain), ("  with our network", same)):
            ratio = f"{cpu_s / ours[0]:.2f} times our CPU time, {wall_s / ours[1]:.2f} of wall"
            print(f"{name}: {16 * made / cpu_s:.1f} frames a CPU second, {16 * made / wall_s:.1f} a second; {ratio}")
    outcomes = stored(given.videos)
    task = JudgeTask(make_protocol("bench", "full", "match", ()), ())
    cpu_s, wall_s = timed(lambda: task.scores(outcomes))
    print(f"scored again: {given.videos} videos in {cpu_s:.2f} CPU seconds, {wall_s:.2f} s")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
