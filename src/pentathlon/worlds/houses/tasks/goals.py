"""Goals of navigation: where one succeeds, how far that is, and what is left to do on arrival.

Distances are walking distances on the navigation map. A goal is reached when Stop at the present pose would succeed.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pentathlon.core.errors import UnknownIdError
from pentathlon.worlds.houses.bodies.navigator import Action, Navigator, Pose
from pentathlon.worlds.houses.graph.visibility import in_picture, unblocked
from pentathlon.worlds.houses.ways.navigation import CELL_M

Floats = NDArray[np.float64]
OBJECT_WITHIN_M = 1.0
# Places to see an object from are looked for at every second cell and with a part of its points, for speed: what is
# found is a success place, and no true one is farther than a cell's diagonal from one that was looked at.
PLACE_STRIDE = 2
PLACE_POINTS = 24


class Goal(ABC):
    """What an episode asks for."""

    def __init__(self, navigator: Navigator) -> None:
        self._navigator = navigator

    @property
    @abstractmethod
    def field_m(self) -> Floats:
        """Every cell's walking distance to the nearest success place, infinite where there is no way."""

    @property
    def reachable(self) -> bool:
        """Whether some success place can be walked to from the main region."""
        ways = self._navigator.ways
        return bool(np.isfinite(self.field_m[ways.regions == ways.main_region]).any())

    def distance_m(self, x_m: float, y_m: float) -> float:
        """Returns the walking distance from a free place to the nearest success place."""
        ways = self._navigator.ways
        cell = ways.cell(x_m, y_m)
        assert cell is not None
        if self.field_m[cell] == 0.0:
            return 0.0
        i0, j0 = max(cell[0] - 1, 0), max(cell[1] - 1, 0)
        window = self.field_m[i0 : cell[0] + 2, j0 : cell[1] + 2]
        xs = ways.x0_m + CELL_M * (i0 + np.arange(window.shape[0])) - x_m
        ys = ways.y0_m + CELL_M * (j0 + np.arange(window.shape[1])) - y_m
        return float(np.min(window + np.hypot(xs[:, None], ys[None, :])))

    @abstractmethod
    def length_m(self, x_m: float, y_m: float) -> float:
        """Returns the length of the straightened shortest way from a place to the nearest success place."""

    @abstractmethod
    def reached(self, pose: Pose) -> bool:
        """Tells whether Stop succeeds here."""

    @abstractmethod
    def finish(self, pose: Pose) -> tuple[Action, ...] | None:
        """Returns the fewest turns and looks after which Stop succeeds at this place; ``None`` if none do."""


class PlaceGoal(Goal):
    """Success: within a walking distance of a place."""

    def __init__(self, navigator: Navigator, place_m: tuple[float, float], within_m: float) -> None:
        super().__init__(navigator)
        self.place_m, self._within_m = place_m, within_m

    @cached_property
    def field_m(self) -> Floats:
        """Every cell's walking distance to the nearest success place."""
        return np.maximum(self._navigator.ways.distances_to([self.place_m]) - self._within_m, 0.0)

    def length_m(self, x_m: float, y_m: float) -> float:
        """Returns the length of the straightened shortest way from a place to the nearest success place."""
        return max(0.0, self._navigator.ways.distance((x_m, y_m), self.place_m) - self._within_m)

    def reached(self, pose: Pose) -> bool:
        """Tells whether Stop succeeds here."""
        here = pose.x_m, pose.y_m
        if math.dist(here, self.place_m) > self._within_m:
            return False
        return self._navigator.ways.distance(here, self.place_m) <= self._within_m

    def finish(self, pose: Pose) -> tuple[Action, ...] | None:
        """Returns no actions when the place is near enough, in whatever direction one looks."""
        return () if self.reached(pose) else None


class SightGoal(Goal):
    """Success: one of some objects is visible within a distance.

    Exactly: some of 48 to 400 points spread by area over the surface of such an object is no farther than the distance
    from the navigator's axis, measured along the floor as AI2-THOR does, lies within the picture, and the straight
    line from the camera meets that object first. Glass hides what is behind it.

    Args:
        navigator: who looks.
        objects: their places in ``house.objects``.
        within_m: how near one has to be.
    """

    def __init__(self, navigator: Navigator, objects: Iterable[int], within_m: float = OBJECT_WITHIN_M) -> None:
        super().__init__(navigator)
        self._within_m = within_m
        self._points_m = {i: navigator.geometry.samples(navigator.data, i) for i in objects}

    @cached_property
    def places_m(self) -> list[tuple[float, float]]:
        """Where Stop succeeds, at every second cell of the map."""
        return [place for place, _ in self._looks()]

    @cached_property
    def field_m(self) -> Floats:
        """Every cell's walking distance to the nearest success place."""
        ways = self._navigator.ways
        return ways.distances_to(self.places_m) if self.places_m else np.full(ways.free.shape, np.inf)

    def length_m(self, x_m: float, y_m: float) -> float:
        """Returns the length of the straightened shortest way from a place to the nearest success place."""
        ways = self._navigator.ways
        from_here = ways.distances_to([(x_m, y_m)])
        i, j = np.unravel_index(int(np.argmin(np.where(self.field_m == 0.0, from_here, np.inf))), from_here.shape)
        return ways.distance((x_m, y_m), ways.point(int(i), int(j)))

    def reached(self, pose: Pose) -> bool:
        """Tells whether Stop succeeds here."""
        view = self._navigator.viewpoint(pose)
        return any(bool(in_picture(rays, view).any()) for rays in self._seen_from(pose))

    def finish(self, pose: Pose) -> tuple[Action, ...] | None:
        """Returns the fewest turns and looks that bring a visible point into the picture."""
        seen = list(self._seen_from(pose))
        if not seen:
            return None
        rays, settings = np.concatenate(seen), self._navigator.settings
        for turns, looks in _gestures(settings.turn_deg, settings.look_deg, settings.most_look_deg, pose.pitch_deg):
            yaw_deg, pitch_deg = pose.yaw_deg + turns * settings.turn_deg, pose.pitch_deg + looks * settings.look_deg
            if in_picture(rays, self._navigator.viewpoint(Pose(pose.x_m, pose.y_m, yaw_deg, pitch_deg))).any():
                return turning(turns) + looking(looks)
        return None

    def level_places(self) -> Iterator[tuple[float, float]]:
        """Yields places of the main region where Stop succeeds after turns alone, without looking up or down."""
        ways, settings = self._navigator.ways, self._navigator.settings
        steepest = math.tan(math.radians(settings.fovy_deg) / 2) * math.cos(math.radians(settings.turn_deg) / 2)
        for place, rays in self._looks():
            cell = ways.cell(*place)
            level = np.abs(rays[:, 2]) <= steepest * np.hypot(rays[:, 0], rays[:, 1])
            if level.any() and cell is not None and ways.regions[cell] == ways.main_region:
                yield place

    def _seen_from(self, pose: Pose) -> Iterator[Floats]:
        """Yields, object by object, the rays from the camera to its visible points in all directions."""
        for index, points in self._points_m.items():
            seen = self._visible(index, points, pose.x_m, pose.y_m)
            if len(seen):
                yield seen

    def _visible(self, index: int, points_m: Floats, x_m: float, y_m: float) -> Floats:
        navigator = self._navigator
        origin = np.array([x_m, y_m, navigator.settings.camera_height_m])
        rays = points_m - origin
        rays = rays[np.hypot(rays[:, 0], rays[:, 1]) <= self._within_m]
        seen: Floats = rays[unblocked(navigator.scene, navigator.data, index, origin, rays)]
        return seen

    def _looks(self) -> Iterator[tuple[tuple[float, float], Floats]]:
        """Yields success places cell by cell, with the rays from there to what is seen of the first object seen."""
        ways = self._navigator.ways
        cells = np.argwhere(ways.free)
        cells = cells[(cells % PLACE_STRIDE == 0).all(axis=1)]
        xs, ys = ways.x0_m + CELL_M * cells[:, 0], ways.y0_m + CELL_M * cells[:, 1]
        found = np.zeros(len(cells), dtype=bool)
        for index, points in self._points_m.items():
            few = points[:: max(1, len(points) // PLACE_POINTS)]
            gaps = np.hypot(xs[:, None] - few[None, :, 0], ys[:, None] - few[None, :, 1]).min(axis=1, initial=np.inf)
            for place in np.flatnonzero(~found & (gaps <= self._within_m)):
                rays = self._visible(index, few, xs[place], ys[place])
                found[place] = len(rays) > 0
                if found[place]:
                    yield (float(xs[place]), float(ys[place])), rays


class TypeGoal(SightGoal):
    """Success: any object of a type is visible within a distance."""

    def __init__(self, navigator: Navigator, type_name: str, within_m: float = OBJECT_WITHIN_M) -> None:
        self.type_name = type_name
        objects = enumerate(navigator.scene.house.objects)
        super().__init__(navigator, [i for i, item in objects if item.type == type_name], within_m)


class InstanceGoal(SightGoal):
    """Success: the object of an id is visible within a distance; others of its type do not count."""

    def __init__(self, navigator: Navigator, object_id: str, within_m: float = OBJECT_WITHIN_M) -> None:
        places = {item.id: i for i, item in enumerate(navigator.scene.house.objects)}
        if object_id not in places:
            raise UnknownIdError("object", object_id, places)
        self.object_id, self.index = object_id, places[object_id]
        super().__init__(navigator, [self.index], within_m)


def turning(turns: int) -> tuple[Action, ...]:
    """Returns the actions of so many turns, to the left where positive."""
    action: Action = "RotateLeft" if turns > 0 else "RotateRight"
    return (action,) * abs(turns)


def looking(looks: int) -> tuple[Action, ...]:
    """Returns the actions of so many looks, down where positive."""
    action: Action = "LookDown" if looks > 0 else "LookUp"
    return (action,) * abs(looks)


def _gestures(turn_deg: float, look_deg: float, most_look_deg: float, pitch_deg: float) -> list[tuple[int, int]]:
    """Returns all possible turns and looks, fewest actions first."""
    around, most = math.ceil(180.0 / turn_deg), math.floor(2 * most_look_deg / look_deg)
    looks = [look for look in range(-most, most + 1) if abs(pitch_deg + look * look_deg) <= most_look_deg]
    pairs = [(turn, look) for turn in range(-around, around + 1) for look in looks]
    return sorted(pairs, key=lambda pair: (abs(pair[0]) + abs(pair[1]), abs(pair[1]), pair))
