"""Ways to look with the built-in image-text network: how often a target near by is told, at how many false alarms.

    pentathlon data views --out views --train 0 --tune 16 --held-out 16 --measured-frames 60
    python bench/find_sights.py views [--part held-out]

A view shows a target if two places of the map within reach are its own; it is told if the third highest score within
reach lies on it and above a threshold, which a share of the views without the target may exceed. ``ends well`` is the
best product of that recall and of the chance that thirty views without it raise no alarm.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional as F

from pentathlon.learning.detectors.augment import decoded
from pentathlon.learning.detectors.corpus import Corpus, group_paths, house_attributes, read_corpus
from pentathlon.learning.detectors.measuring.findings import embed
from pentathlon.learning.detectors.measuring.report import ROBOTHOR
from pentathlon.learning.detectors.measuring.scores import VIEWS_OF_A_WALK
from pentathlon.learning.detectors.views import PARTS, array_path
from pentathlon.learning.detectors.vocabulary import UNCOMMON
from pentathlon.models.image_text.dense import COARSE, FARTHEST_M, STRIDE, PictureTower
from pentathlon.models.image_text.fast_tower import fast_tower
from pentathlon.models.image_text.second_look import TIMES, is_worth_it
from pentathlon.models.image_text.trained import load_dense
from pentathlon.models.localizers.opening import DENSE
from pentathlon.models.weights import resolve_weights

STAND_INS = ("Candle", "Hat", "SoccerBall", "TeddyBear", "Teapot", "WineBottle")
TARGETS = (*ROBOTHOR, *STAND_INS)
REACH_M = 1.15
PLACES = 3
ALARMS = (0.05, 0.02, 0.01, 0.005, 0.002)
ALIKE = 0.75
"""Names whose vectors are more alike than this say the same thing, and are no rivals."""
BATCH = 8
Look = Callable[[Tensor], Tensor]
Ints = npt.NDArray[np.int64]


class Seen(NamedTuple):
    """Scores of views with a target, minus infinity where the peak lies elsewhere, and of views without it."""

    right: list[float]
    wrong: list[float]


class Frame(NamedTuple):
    """Of the places of a view: which are within reach, and the number of the target that each shows, or -1.

    Attributes:
        visible: targets that the view shows at all.
    """

    near: npt.NDArray[np.bool_]
    types: Ints
    visible: set[int]


class Sight:
    """Scores maps of targets ``[B, K, H / 4, W / 4]`` in several ways."""

    def __init__(self) -> None:
        trained = load_dense(resolve_weights(DENSE))
        names = house_attributes().types
        self._tower: PictureTower = fast_tower(trained.network.pictures, torch.device("cpu"))
        self._score = trained.network.score
        self._words = embed(trained.network, trained.pieces, [names[name].noun for name in TARGETS])
        others = [kind.noun for name, kind in names.items() if name not in UNCOMMON]
        self._others = embed(trained.network, trained.pieces, others)
        self._rivals = self._words @ self._others.T < ALIKE

    def ways(self) -> Mapping[str, Look]:
        """Returns the ways to look by name."""
        return {
            "as it is": lambda pixels: self._scores(pixels, self._words),
            "and mirrored": self.mirrored,
            "enlarged by 1.5": lambda pixels: self.enlarged(pixels, TIMES),
            "enlarged by 2": lambda pixels: self.enlarged(pixels, 2.0),
            "as shipped: both, where a score is above -1": self.twice,
            "less what other names score more": self.against_rivals,
        }

    def mirrored(self, pixels: Tensor) -> Tensor:
        """The mean of a picture and its mirror image."""
        other = pixels.flip(3).contiguous(memory_format=torch.channels_last)
        return (self._scores(pixels, self._words) + self._scores(other, self._words).flip(3)) / 2

    def enlarged(self, pixels: Tensor, times: float) -> Tensor:
        """Looks at a larger picture; its map has the size of the others."""
        side = COARSE * round(pixels.shape[2] * times / COARSE)
        large = F.interpolate(pixels, (side, side), mode="bilinear", align_corners=False)
        seen = self._scores(large.contiguous(memory_format=torch.channels_last), self._words)
        return F.interpolate(seen, (pixels.shape[2] // STRIDE, pixels.shape[3] // STRIDE), mode="area")

    def twice(self, pixels: Tensor) -> Tensor:
        """Looks again, as localizers do, for each target that a picture may show."""
        first, second = self._scores(pixels, self._words), self.enlarged(pixels, TIMES)
        return torch.where(is_worth_it(first)[..., None, None], (first + second) / 2, first)

    def against_rivals(self, pixels: Tensor) -> Tensor:
        """A place counts less where another name scores more there."""
        own, others = self._scores(pixels, self._words), self._scores(pixels, self._others)
        best = torch.stack([others[:, rivals].amax(1) for rivals in self._rivals], dim=1)
        return own - (best - own).clamp(min=0.0)

    def _scores(self, pixels: Tensor, words: Tensor) -> Tensor:
        return self._score(torch.einsum("bdhw,kd->bkhw", self._tower(pixels), words))


@torch.inference_mode()
def look(views: Path, part: str, sight: Sight) -> tuple[dict[str, Seen], dict[str, float]]:
    """Looks at the views of the part's first houses in all ways; also returns CPU seconds a view."""
    path, *others = group_paths(views, part)  # type: ignore[arg-type]
    if others:
        print(f"{path.name} alone is looked at, of {1 + len(others)} groups of houses", flush=True)
    corpus, raw = read_corpus([path], house_attributes()), np.load(array_path(path), mmap_mode="r")
    found: defaultdict[str, Seen] = defaultdict(lambda: Seen([], []))
    took: defaultdict[str, float] = defaultdict(float)
    for first in range(0, len(raw), BATCH):
        pixels, owners = decoded(torch.from_numpy(raw[first : first + BATCH].copy()))
        frames = list(targets_of(corpus, pixels, owners, first))
        for name, way in sight.ways().items():
            began = time.process_time()
            scores = way(pixels).numpy()
            took[name] += (time.process_time() - began) / len(raw)
            for maps, (near, types, visible) in zip(scores, frames, strict=True):
                judge(found[name], maps[:, near], types[near], visible)
    return dict(found), dict(took)


def targets_of(corpus: Corpus, pixels: Tensor, owners: Tensor, first: int) -> Iterator[Frame]:
    """Yields what there is to tell of each view."""
    number = {name: place for place, name in enumerate(TARGETS)}
    kinds = np.array([number.get(name, -1) for name in corpus.types])
    far_m = (pixels[:, 3] + 0.6) * 5.0  # as `prepare` tells it
    middle = np.s_[STRIDE // 2 :: STRIDE, STRIDE // 2 :: STRIDE]
    for place, owner in enumerate(owners.numpy().astype(np.int64)):
        types = np.where(owner >= 0, kinds[np.where(owner >= 0, owner + int(corpus.base[first + place]), 0)], -1)
        near = far_m[place].numpy()[middle] < min(REACH_M, FARTHEST_M)
        yield Frame(near, types[middle], set(np.unique(types).tolist()))


def judge(seen: Seen, scores: npt.NDArray[np.float32], types: Ints, visible: set[int]) -> None:
    """Notes what a view says of each target."""
    if len(types) < PLACES:
        return
    for target, row in enumerate(scores):
        top = np.argpartition(row, -PLACES)[-PLACES:]
        if np.count_nonzero(types == target) >= PLACES - 1:
            seen.right.append(float(row[top].min()) if np.mean(types[top] == target) > 0.5 else -np.inf)
        elif target not in visible:
            seen.wrong.append(float(row[top].min()))


def row(seen: Seen) -> str:
    """Formats recalls and the share of walks that end well."""
    right, wrong = np.array(seen.right), np.array(seen.wrong)
    recalls = [(right > np.quantile(wrong, 1 - share)).mean() for share in ALARMS]
    bars = np.unique(np.quantile(wrong, np.linspace(0.8, 1.0, 600)))
    best = max((right > bar).mean() * (1 - (wrong > bar).mean()) ** VIEWS_OF_A_WALK for bar in bars)
    return " | ".join(f"{value:.3f}" for value in (*recalls, best))


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("views", type=Path)
    parser.add_argument("--part", choices=PARTS, default="held-out")
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    found, took = look(chosen.views, chosen.part, Sight())
    alarms = " | ".join(f"{share:.1%}" for share in ALARMS)
    print(f"| of {len(TARGETS)} targets | ms a view | recall at {alarms} | ends well |")
    for name, seen in found.items():
        print(f"| {name} ({len(seen.right)} with, {len(seen.wrong)} without) | {1000 * took[name]:.0f} | {row(seen)} |")


if __name__ == "__main__":
    main()
