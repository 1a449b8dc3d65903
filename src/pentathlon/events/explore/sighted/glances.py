"""From one picture to things in space: places that look alike and lie together are taken for one thing."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from torch.nn import functional as F

from pentathlon.events.explore.sighted.lore import kinds, room_sentences
from pentathlon.events.explore.sighted.network import Network
from pentathlon.models.navigation.back_projection import Camera, MapPose, Points, back_project, thinned, usable

Floats = npt.NDArray[np.float32]
Whole = npt.NDArray[np.int64]
GRID_PX = 112
"""Side of the grid on which things are told apart; the network's own has half of it."""
PRESENT = 1.0
"""A type that no place shows with such a score is not looked for in the picture."""
PIXEL = 0.0
PEAK = 1.5
FEWEST_PX = 4
NEAR_M, FAR_M = 0.5, 5.0
"""Nearer points, along the floor, may be the agent's own arm."""
JUMP_M, JUMP_SHARE = 0.06, 0.08
"""Neighbouring pixels of one thing differ in depth by no more than this, or by this share of their depth."""
TRIMMED = (3.0, 97.0)
CORE_PX = 12
MOST_POINTS = 80


class Glance(NamedTuple):
    """A thing as one picture shows it.

    Attributes:
        low_m: lower corner of its upright box, in the map's frame; ``high_m`` the upper one.
        points_m: some of its points ``[n, 3]``.
        scores: mean score of each type.
        peak: highest score of its best type.
        vector: mean of the network's vectors, not of length one.
        pixels: how many of a grid of ``GRID_PX`` by ``GRID_PX``.
        away_m: distance along the viewing direction.
        is_cut: whether it reaches the picture's rim.
    """

    low_m: Floats
    high_m: Floats
    points_m: Floats
    scores: Floats
    peak: float
    vector: Floats
    pixels: int
    away_m: float
    is_cut: bool

    @property
    def best(self) -> int:
        """Number of the type that it looks most like."""
        return int(np.argmax(self.scores))


class View(NamedTuple):
    """What one picture tells.

    Attributes:
        glances: the things in it.
        points: where each place of the network's grid lies.
        rooms: score of each room type at each place ``[h, w, R]``.
        depth_m: on the grid of ``GRID_PX``, no number where unknown.
        owners: on the same grid, the glance that each pixel belongs to, -1 for none.
    """

    glances: tuple[Glance, ...]
    points: Points
    rooms: Floats
    depth_m: Floats
    owners: Whole


class Sight:
    """Tells what is in pictures."""

    def __init__(self, network: Network) -> None:
        self._network = network
        names = [kind.noun for kind in kinds()]
        self._types, self._rooms = network.read(names), network.read(room_sentences())

    def see(self, rgb: npt.NDArray[np.uint8], depth_m: Floats, pose: MapPose, camera: Camera) -> View:
        """Looks at a picture, taken from a pose."""
        vectors = self._network.look(rgb, depth_m)
        scores = self._network.score(vectors @ self._types.T)
        fine_m = usable(thinned(depth_m, GRID_PX))
        points = back_project(fine_m, pose, camera)
        flat_m = np.hypot(points.x_m - pose.x_m, points.y_m - pose.y_m)
        kept = np.where((flat_m > NEAR_M) & (fine_m < FAR_M), fine_m, np.float32(np.nan))
        chosen, height = _chosen(scores, kept)
        owners = _together(chosen, kept)
        glances, owners = _glances(owners, _Seen(vectors, scores, height, points, kept))
        coarse = back_project(usable(thinned(depth_m, len(vectors))), pose, camera)
        return View(glances, coarse, self._network.score(vectors @ self._rooms.T), fine_m, owners)


class _Seen(NamedTuple):
    vectors: Floats
    scores: Floats
    height: Floats
    points: Points
    depth_m: Floats


def _chosen(scores: Floats, depth_m: Floats) -> tuple[Whole, Floats]:
    """For each pixel of the fine grid the type that it shows best, -1 for none, and the score of that."""
    present = np.flatnonzero(scores.max(axis=(0, 1)) >= PRESENT)
    if not len(present):
        return np.full(depth_m.shape, -1), np.full(depth_m.shape, -np.inf, np.float32)
    maps = torch.from_numpy(np.ascontiguousarray(scores[..., present].transpose(2, 0, 1)))[None]
    fine = F.interpolate(maps, depth_m.shape, mode="bilinear", align_corners=False)[0].numpy()
    best = fine.argmax(axis=0)
    height: Floats = np.take_along_axis(fine, best[None], axis=0)[0]
    return np.where((height > PIXEL) & np.isfinite(depth_m), present[best], -1), height


def _together(chosen: Whole, depth_m: Floats) -> Whole:
    """Numbers groups of neighbouring pixels of one type and like depth; -1 where there is nothing."""
    size = chosen.size
    number = np.arange(size).reshape(chosen.shape)
    pairs = []
    for one, other in ((np.s_[:, :-1], np.s_[:, 1:]), (np.s_[:-1], np.s_[1:])):
        gap = np.abs(depth_m[one] - depth_m[other])
        limit = np.maximum(JUMP_M, JUMP_SHARE * depth_m[one])
        alike = (chosen[one] == chosen[other]) & (chosen[one] >= 0) & (gap < limit)
        pairs.append(np.stack([number[one][alike], number[other][alike]]))
    edges = np.concatenate(pairs, axis=1)
    graph = coo_matrix((np.ones(edges.shape[1], np.int8), (edges[0], edges[1])), shape=(size, size))
    _, labels = connected_components(graph, directed=False)
    return np.where(chosen >= 0, labels.reshape(chosen.shape), -1)


def _glances(labels: Whole, seen: _Seen) -> tuple[tuple[Glance, ...], Whole]:
    """Describes the groups that are large and sure enough, and renumbers their pixels."""
    owners = np.full(labels.shape, -1)
    at = np.flatnonzero(labels.ravel() >= 0)
    order = at[np.argsort(labels.ravel()[at], kind="stable")]
    if not len(order):
        return (), owners
    ends = np.flatnonzero(np.diff(labels.ravel()[order])) + 1
    core = _core(labels)
    glances: list[Glance] = []
    for group in np.split(order, ends):
        if len(group) >= FEWEST_PX and float(seen.height.ravel()[group].max()) >= PEAK:
            owners.ravel()[group] = len(glances)
            glances.append(_glance(group, core, seen))
    return tuple(glances), owners


def _core(labels: Whole) -> npt.NDArray[np.bool_]:
    """Which pixels have only neighbours of their own group: at a thing's rim one sees what is behind it."""
    same = np.zeros(labels.shape, bool)
    inner = labels[1:-1, 1:-1]
    same[1:-1, 1:-1] = (
        (inner == labels[:-2, 1:-1])
        & (inner == labels[2:, 1:-1])
        & (inner == labels[1:-1, :-2])
        & (inner == labels[1:-1, 2:])
    )
    return same


def _glance(group: Whole, core: npt.NDArray[np.bool_], seen: _Seen) -> Glance:
    side, fine = seen.vectors.shape[0], seen.depth_m.shape[0]
    rows, columns = np.unravel_index(group, seen.depth_m.shape)
    places = np.unique((rows * side // fine) * side + columns * side // fine)
    inner = group[core.ravel()[group]]
    inner = inner if len(inner) >= CORE_PX else group
    points = np.stack([axis.ravel()[inner] for axis in seen.points], axis=1)
    low, high = np.percentile(points, TRIMMED, axis=0).astype(np.float32)
    is_cut = bool(min(rows.min(), columns.min()) == 0 or max(rows.max(), columns.max()) == fine - 1)
    return Glance(
        low_m=low,
        high_m=high,
        points_m=points[:: max(1, len(points) // MOST_POINTS)],
        scores=seen.scores.reshape(side * side, -1)[places].mean(axis=0),
        peak=float(seen.height.ravel()[group].max()),
        vector=seen.vectors.reshape(side * side, -1)[places].mean(axis=0),
        pixels=len(group),
        away_m=float(np.median(seen.depth_m.ravel()[inner])),
        is_cut=is_cut,
    )
