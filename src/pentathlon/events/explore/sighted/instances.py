"""Things on the map: glances from many places that lie in one place and look alike are of one thing."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pentathlon.events.explore.sighted.glances import GRID_PX, Glance, View
from pentathlon.events.explore.sighted.lore import kinds, largest_m
from pentathlon.models.navigation.back_projection import Camera, MapPose

Floats = npt.NDArray[np.float32]
MOST_POINTS = 480
TRIMMED = (2.0, 98.0)
LEAST_SIDE_M = 0.02
TOUCHING_M = 0.06
"""Two glances of one type whose boxes come so near are of one thing, unless it would be too large."""
SHARED = 0.25
"""Of the smaller box: so much in common, and two glances of one type are of one thing."""
ALIKE, COMMON = -1.0, 0.35
"""Two types may be one thing where each scores so much on the other, and their boxes have so much in common."""
TOO_LARGE = 1.35
MOVED_M = 0.5
"""What was lifted is put down somewhere within this."""
SEEN_WITHIN_M, SIDES_AWAY, NEVER_BEYOND_M = 0.6, 6.0, 3.0
"""A thing ought to be seen from within the first, and so many times its longest side, but not from beyond the last."""
DOUBTFUL, INSIDE = 3.3, 0.5
"""Less sure furniture so much of which is inside of surer furniture is taken for a part of it."""
FLAT_M = 0.08
WEIGHT_PX = 150
MERGE_EACH = 20
FORGET_MISSES, FORGET_BELOW = 4, -0.5
VIEW_GAIN, MISS_LOSS = 0.7, 5.0


@dataclass
class Instance:
    """One thing.

    Attributes:
        number: which it is; it keeps it.
        points_m: of its surface.
        scores: of each type, summed over glances by their weight.
        vector: of the network, summed in the same way.
        weight: of all glances together.
        views: how many glances.
        misses: how often its place was in view and it was not.
        peak: highest score.
        from_m: mean place from which it was seen, summed over glances.
        handled: whether it may have been moved since.
        box: its lower and upper corner.
        kind: number of its type.
    """

    number: int
    points_m: Floats
    scores: Floats
    vector: Floats
    weight: float
    views: int
    peak: float
    from_m: npt.NDArray[np.float64]
    misses: int = 0
    handled: bool = False
    box: tuple[Floats, Floats] = field(default_factory=lambda: (np.zeros(3, np.float32), np.zeros(3, np.float32)))
    kind: int = 0

    def __post_init__(self) -> None:
        self.kind = int(np.argmax(self.scores))

    @property
    def sureness(self) -> float:
        """Mean score of its type, more for many views, less where its place was seen without it or it is but a bit."""
        mean = float(self.scores.max()) / self.weight
        share = self.views / (self.views + self.misses)
        usual_m = float(largest_m()[self.kind].max())
        smaller = math.log(usual_m / max(float((self.box[1] - self.box[0]).max()), LEAST_SIDE_M))
        return mean + VIEW_GAIN * math.log(self.views) - MISS_LOSS * max(0.0, 0.6 - share) - max(0.0, smaller - 0.7)

    @property
    def height_m(self) -> float:
        """Of its box."""
        return float(self.box[1][2] - self.box[0][2])

    def settle(self) -> None:
        """Draws its box."""
        low, high = np.percentile(self.points_m, TRIMMED, axis=0).astype(np.float32)
        pad = np.maximum(np.float32(LEAST_SIDE_M) - (high - low), 0.0) / 2
        self.box = low - pad, high + pad


class Boxes(NamedTuple):
    """Upright boxes ``[n, 3]`` by their corners."""

    low: Floats
    high: Floats

    def common(self, low: Floats, high: Floats, margin_m: float = 0.0) -> Floats:
        """Returns the volume that each shares with a box."""
        sides = np.minimum(self.high, high) - np.maximum(self.low, low) + 2 * margin_m
        shared: Floats = np.prod(np.maximum(sides, 0.0), axis=1)
        return shared

    @property
    def volume(self) -> Floats:
        """Of each."""
        found: Floats = np.prod(np.maximum(self.high - self.low, LEAST_SIDE_M), axis=1)
        return found


class Instances:
    """All things that were seen.

    Attributes:
        things: by number.
    """

    def __init__(self) -> None:
        self.things: dict[int, Instance] = {}
        self._random = np.random.default_rng(0)
        self._next, self._looks = 0, 0

    def take_in(self, view: View, pose: MapPose, camera: Camera) -> None:
        """Adds what a picture shows to what is known, and counts what it does not show."""
        seen: set[int] = set()
        for glance in view.glances:
            seen.add(self._add(glance, pose))
        self._miss(view, pose, camera, seen)
        self._looks += 1
        if self._looks % MERGE_EACH == 0:
            self.merge()

    def merge(self) -> None:
        """Joins things that have grown into one another, and forgets what was never seen again."""
        for number, thing in list(self.things.items()):
            if thing.misses >= FORGET_MISSES and thing.sureness < FORGET_BELOW and not thing.handled:
                del self.things[number]
        for number in sorted(self.things, key=lambda n: self.things[n].weight):
            one = self.things.pop(number)
            other = self._match(one.scores / one.weight, one.box, one.handled)
            if other is None:
                self.things[number] = one
            else:
                self._join(self.things[other], one)

    def believed(self, bar: float) -> list[Instance]:
        """Returns the things that are surer than a bar, without those that are parts of others."""
        things = [thing for thing in self.things.values() if thing.sureness >= bar]
        solid = [thing for thing in things if not kinds()[thing.kind].portable and thing.height_m > FLAT_M]
        if not solid:
            return things
        boxes = Boxes(np.stack([thing.box[0] for thing in solid]), np.stack([thing.box[1] for thing in solid]))
        sure = np.array([thing.sureness for thing in solid])
        parts = set()
        for thing, volume in zip(solid, boxes.volume, strict=True):
            inside = boxes.common(*thing.box) / volume
            if thing.sureness < DOUBTFUL and bool((inside[sure > thing.sureness] > INSIDE).any()):
                parts.add(thing.number)
        return [thing for thing in things if thing.number not in parts]

    def _add(self, glance: Glance, pose: MapPose) -> int:
        weight = min(glance.pixels, WEIGHT_PX) ** 0.5 / max(glance.away_m, 1.0)
        place = np.array([pose.x_m, pose.y_m])
        new = Instance(
            self._next, glance.points_m, glance.scores * weight, glance.vector * weight, weight, 1, glance.peak, place
        )
        new.box = glance.low_m, glance.high_m
        found = self._match(glance.scores, new.box, handled=False)
        if found is None:
            self._next += 1
            new.settle()
            self.things[new.number] = new
            return new.number
        self._join(self.things[found], new)
        return found

    def _join(self, one: Instance, other: Instance) -> None:
        one.scores, one.vector = one.scores + other.scores, one.vector + other.vector
        one.kind = int(np.argmax(one.scores))
        one.weight, one.views = one.weight + other.weight, one.views + other.views
        one.misses = max(one.misses, other.misses)
        one.peak, one.from_m = max(one.peak, other.peak), one.from_m + other.from_m
        if one.handled:
            return
        points = np.concatenate([one.points_m, other.points_m])
        if len(points) > MOST_POINTS:
            points = points[self._random.permutation(len(points))[:MOST_POINTS]]
        one.points_m, one.handled = points, other.handled
        one.settle()

    def _match(self, scores: Floats, box: tuple[Floats, Floats], handled: bool) -> int | None:
        """The thing that a glance is of; ``None`` for a new one."""
        if not self.things:
            return None
        numbers = list(self.things)
        things = [self.things[number] for number in numbers]
        boxes = Boxes(np.stack([thing.box[0] for thing in things]), np.stack([thing.box[1] for thing in things]))
        low, high = box
        volume = float(np.prod(np.maximum(high - low, LEAST_SIDE_M)))
        common = boxes.common(low, high)
        shared = common / np.minimum(boxes.volume, volume)
        overlap = common / np.maximum(boxes.volume + volume - common, 1e-9)
        best = int(np.argmax(scores))
        same = np.array([thing.kind == best for thing in things])
        near = boxes.common(low, high, TOUCHING_M) > 0
        gap_m = np.linalg.norm((boxes.low + boxes.high) / 2 - (low + high) / 2, axis=1)
        moved = np.array([thing.handled for thing in things]) | handled
        fits = same & (
            (near & self._is_small(boxes, low, high, best)) | (shared > SHARED) | (moved & (gap_m < MOVED_M))
        )
        for i in np.flatnonzero(~same & (overlap > COMMON)):
            fits[i] = bool(min(scores[things[i].kind], things[i].scores[best] / things[i].weight) > ALIKE)
        if not fits.any():
            return None
        return numbers[int(np.argmax(np.where(fits, shared - gap_m, -np.inf)))]

    def _is_small(self, boxes: Boxes, low: Floats, high: Floats, kind: int) -> npt.NDArray[np.bool_]:
        """Whether one thing of the type may be as large as both boxes together."""
        sides = np.maximum(boxes.high, high) - np.minimum(boxes.low, low)
        along, height = largest_m()[kind] * TOO_LARGE + TOUCHING_M
        fitting: npt.NDArray[np.bool_] = (sides[:, :2].max(axis=1) <= along) & (sides[:, 2] <= height)
        return fitting

    def _miss(self, view: View, pose: MapPose, camera: Camera, seen: Iterable[int]) -> None:
        """Counts a miss where the middle of a thing is in plain view and nothing of it was noticed."""
        known = set(seen)
        numbers = [number for number, thing in self.things.items() if number not in known and not thing.handled]
        if not numbers:
            return
        boxes = [self.things[number].box for number in numbers]
        middles = np.array([(low + high) / 2 for low, high in boxes])
        sides = np.array([float((high - low).max()) for low, high in boxes])
        away, rows, columns = project(middles, pose, camera)
        far_m = np.minimum(SEEN_WITHIN_M + SIDES_AWAY * sides, NEVER_BEYOND_M)
        inside = (away > 0.5) & (away < far_m) & (rows >= 4) & (rows < GRID_PX - 4)
        inside &= (columns >= 4) & (columns < GRID_PX - 4)
        depth = view.depth_m[np.clip(rows, 0, GRID_PX - 1), np.clip(columns, 0, GRID_PX - 1)]
        plain = inside & (np.abs(depth - away) < sides / 2 + 0.1)
        for i in np.flatnonzero(plain):
            self.things[numbers[i]].misses += 1


def project(
    points_m: npt.NDArray[np.float64], pose: MapPose, camera: Camera
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Returns how far ahead points lie, and their rows and columns on the grid of ``GRID_PX``."""
    dx, dy = points_m[:, 0] - pose.x_m, points_m[:, 1] - pose.y_m
    up = points_m[:, 2] - camera.height_m
    cosine, sine = math.cos(pose.yaw_rad), math.sin(pose.yaw_rad)
    ahead, left = dx * cosine + dy * sine, dy * cosine - dx * sine
    cosine, sine = math.cos(pose.pitch_rad), math.sin(pose.pitch_rad)
    away, above = ahead * cosine - up * sine, ahead * sine + up * cosine
    focal = GRID_PX / 2 / math.tan(math.radians(camera.fovy_deg) / 2)
    safe = np.where(away > 0.05, away, np.nan)
    rows, columns = GRID_PX / 2 - focal * above / safe, GRID_PX / 2 - focal * left / safe
    whole = [np.nan_to_num(axis, nan=-1.0).clip(-1, GRID_PX).astype(np.int64) for axis in (rows, columns)]
    return away, whole[0], whole[1]


def type_names() -> tuple[str, ...]:
    """Returns the types in the order of scores."""
    return tuple(kind.name for kind in kinds())
