"""Names things in view: by the network's own words, and by a linear probe on any encoder's picture of each thing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional as F

from pentathlon.core.entrants import Encoder
from pentathlon.learning.detectors.augment import decoded
from pentathlon.learning.detectors.corpus import Corpus, group_paths, house_attributes, read_corpus
from pentathlon.learning.detectors.measuring.findings import embed
from pentathlon.learning.detectors.views import Part, array_path
from pentathlon.learning.detectors.vocabulary import UNCOMMON
from pentathlon.models.image_text.dense import STRIDE
from pentathlon.models.image_text.trained import TrainedDense
from pentathlon.stats import Interval, success_interval

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

FEWEST_PX = 250
SIDE_PX = 96
MARGIN = 1.2
STRENGTHS = (1e-4, 1e-3, 1e-2, 1e-1)
"""Of the probe's ridge, in shares of the mean square of a feature."""
BATCH = 32


class Things(NamedTuple):
    """Things in view: cut-out pictures ``[N, SIDE_PX, SIDE_PX, 3]``, mean vectors, types and houses by number."""

    pictures: npt.NDArray[np.uint8]
    vectors: Floats
    types: Ints
    houses: Ints


class Named(NamedTuple):
    """How many names were put before each thing's right one, and the house of each."""

    before: Ints
    houses: Ints

    def score(self, names: int) -> tuple[float, Interval]:
        """Returns how often the right name is among the first ``names``, with its interval over houses."""
        right = self.before < names
        return float(right.mean()), success_interval(right.astype(float), [str(house) for house in self.houses])


def name_things(
    trained: TrainedDense, views: Path, encoders: Mapping[str, Encoder], fitted: int, measured: int
) -> dict[str, Named]:
    """Measures who names things of held-out houses.

    Args:
        trained: the network.
        views: folder of views.
        encoders: by name; each gets a linear probe, fitted on things of training houses.
        fitted: how many things to fit on.
        measured: how many things to measure on.
    """
    attributes = house_attributes()
    names = [name for name in attributes.types if name not in UNCOMMON]
    train = gather(trained, views, "train", names, fitted)
    test = gather(trained, views, "held-out", names, measured)
    words = embed(trained.network, trained.pieces, [attributes.types[name].noun for name in names]).cpu().numpy()
    found = {"the network, by words": Named(names_before(test.vectors @ words.T, test.types), test.houses)}
    features = {"the network": (train.vectors, test.vectors)}
    for name, encoder in encoders.items():
        features[name] = encoder.encode(train.pictures).pooled, encoder.encode(test.pictures).pooled
    for name, (fitted_on, measured_on) in features.items():
        ranks = _probed(fitted_on, measured_on, train.types, test.types)
        found[f"{name}, probe"] = Named(ranks, test.houses)
    return found


def names_before(scores: Floats, types: Ints) -> Ints:
    """Counts the types that score higher than the right one, for each row."""
    before: Ints = (scores > np.take_along_axis(scores, types[:, None], axis=1)).sum(axis=1)
    return before


def gather(trained: TrainedDense, views: Path, part: Part, names: Sequence[str], most: int) -> Things:
    """Cuts things out of views, at most ``most``, drawn alike from all views."""
    paths = group_paths(views, part)
    corpus = read_corpus(paths, house_attributes())
    files = [np.load(array_path(path), mmap_mode="r") for path in paths]
    starts = np.cumsum([0, *map(len, files)])
    number = {name: i for i, name in enumerate(names)}
    seen = _drawn(corpus, number, most)
    pictures, vectors, types, houses = [], [], [], []
    for frames in np.array_split(np.unique(seen[:, 0]), max(1, len(seen) // BATCH)):
        at = np.searchsorted(starts, frames, side="right") - 1
        raw = torch.from_numpy(np.stack([files[i][frame - starts[i]] for i, frame in zip(at, frames, strict=True)]))
        maps, owners = _looked_at(trained, raw)
        for place, frame in enumerate(frames):
            for thing in seen[seen[:, 0] == frame, 1]:
                mask = owners[place] == int(thing) - int(corpus.base[frame])
                pictures.append(_cut(raw[place, ..., :3], mask))
                vectors.append(_mean_vector(maps[place], mask))
                types.append(number[corpus.types[thing]])
                houses.append(int(corpus.base[frame]))
    return Things(np.stack(pictures), torch.stack(vectors).numpy(), np.array(types), np.array(houses))


def _drawn(corpus: Corpus, number: Mapping[str, int], most: int) -> Ints:
    """Rows of frame and thing, the same for the same corpus."""
    rows = [
        (frame, int(thing))
        for frame, seen in enumerate(corpus.visible)
        for thing, pixels in seen[:, :2]
        if pixels >= FEWEST_PX and corpus.types[int(thing)] in number
    ]
    chosen = np.random.default_rng(0).permutation(len(rows))[:most]
    return np.array([rows[i] for i in sorted(chosen)], np.int64)


@torch.inference_mode()
def _looked_at(trained: TrainedDense, raw: Tensor) -> tuple[Tensor, Tensor]:
    pixels, numbers = decoded(raw.to(trained.network.bias.device))
    return trained.network.pictures(pixels).float().cpu(), numbers.cpu()


def _cut(picture: Tensor, mask: Tensor) -> npt.NDArray[np.uint8]:
    """The square around a thing, a little wider than it is, at one size."""
    rows, columns = torch.nonzero(mask, as_tuple=True)
    half = MARGIN * max(int(rows.max() - rows.min()), int(columns.max() - columns.min()), 4) / 2
    row, column = float(rows.float().mean()), float(columns.float().mean())
    top, left = max(0, int(row - half)), max(0, int(column - half))
    square = picture[top : int(row + half) + 1, left : int(column + half) + 1].permute(2, 0, 1)[None].float()
    shrunk = F.interpolate(square, (SIDE_PX, SIDE_PX), mode="bilinear", antialias=True, align_corners=False)
    found: npt.NDArray[np.uint8] = shrunk[0].permute(1, 2, 0).round().clamp(0, 255).byte().numpy()
    return found


def _mean_vector(places: Tensor, mask: Tensor) -> Tensor:
    share = F.avg_pool2d(mask[None, None].float(), STRIDE)[0, 0]
    return F.normalize((places * share).sum((1, 2)), dim=0)


def _probed(train: Floats, test: Floats, train_types: Ints, test_types: Ints) -> Ints:
    """Fits a linear probe, its ridge chosen on a fifth of what it is fitted on."""
    middle, width = train.mean(0), train.std(0) + 1e-6
    train, test = (train - middle) / width, (test - middle) / width
    kept = np.arange(len(train)) % 5 > 0
    # A type that none of the training things has is never named right.
    wanted = np.eye(1 + max(int(train_types.max()), int(test_types.max())))[train_types]
    ends = [_fit(train[kept], wanted[kept], strength) for strength in STRENGTHS]
    tops = [(names_before(_scores(train[~kept], end), train_types[~kept]) < 1).mean() for end in ends]
    best = STRENGTHS[int(np.argmax(tops))]
    return names_before(_scores(test, _fit(train, wanted, best)), test_types)


def _fit(features: Floats, wanted: npt.NDArray[np.float64], strength: float) -> Floats:
    known = np.column_stack([features, np.ones(len(features), np.float32)]).astype(np.float64)
    square = known.T @ known
    ridge = strength * np.trace(square) / len(square) * np.eye(len(square))
    weights: Floats = np.linalg.solve(square + ridge, known.T @ wanted).astype(np.float32)
    return weights


def _scores(features: Floats, weights: Floats) -> Floats:
    scores: Floats = features @ weights[:-1] + weights[-1]
    return scores
