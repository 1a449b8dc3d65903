"""Where a round agent can walk: a grid of exact clearances, shortest paths, and reachable places."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage, sparse
from scipy.sparse import csgraph

from pentathlon.core.errors import UsageError
from pentathlon.worlds.houses.house import House, Room
from pentathlon.worlds.houses.plan.polygons import bounds, contains
from pentathlon.worlds.houses.ways.obstacles import Obstacle, house_obstacles, scene_obstacles

RADIUS_M = 0.18
HEIGHT_M = 0.9
STEP_OVER_M = 0.03
CELL_M = 0.05
UPRIGHT = 1e-9
FARTHEST_CLEARANCE_M = 0.6
REACHABLE_ROOM_M2 = 0.5

Floats = NDArray[np.float64]
# One of each pair of opposite moves; a move is possible when the cells it passes over are free too.
MOVES: tuple[tuple[tuple[int, int], tuple[tuple[int, int], ...]], ...] = (
    ((1, 0), ()),
    ((0, 1), ()),
    ((1, 1), ((1, 0), (0, 1))),
    ((1, -1), ((1, 0), (0, -1))),
    ((2, 1), ((1, 0), (1, 1))),
    ((1, 2), ((0, 1), (1, 1))),
    ((2, -1), ((1, 0), (1, -1))),
    ((1, -2), ((0, -1), (1, -1))),
)


class Path(NamedTuple):
    """A way on the floor: its corners and its length."""

    points_m: Floats
    length_m: float


@dataclass(frozen=True, eq=False)
class NavigationMap:
    """The free floor of a house for an agent of one radius.

    Attributes:
        x0_m: x of the middle of cell (0, 0).
        y0_m: y of the middle of cell (0, 0).
        clearance_m: distance of each cell's middle from the nearest obstacle, up to 0.6; -1 outside all rooms.
        radius_m: of the agent.
    """

    x0_m: float
    y0_m: float
    clearance_m: Floats
    radius_m: float

    @staticmethod
    def of_house(house: House, radius_m: float = RADIUS_M, height_m: float = HEIGHT_M) -> NavigationMap:
        """Maps a house as its file describes it."""
        return build_map(house, house_obstacles(house), radius_m, height_m)

    @staticmethod
    def of_scene(
        house: House,
        model: Any,
        data: Any,
        radius_m: float = RADIUS_M,
        height_m: float = HEIGHT_M,
        ignored_bodies: frozenset[int] = frozenset(),
        step_over_m: float = STEP_OVER_M,
    ) -> NavigationMap:
        """Maps a simulated house in its present state; ``ignored_bodies`` are roots such as the agent itself."""
        return build_map(house, scene_obstacles(model, data, ignored_bodies), radius_m, height_m, step_over_m)

    @cached_property
    def free(self) -> NDArray[np.bool_]:
        """Cells where the agent's middle may be."""
        return self.clearance_m >= self.radius_m

    @cached_property
    def regions(self) -> NDArray[np.int32]:
        """Number of the connected region of each free cell, from 1; 0 where it is not free."""
        labels, _ = ndimage.label(self.free)
        found: NDArray[np.int32] = labels.astype(np.int32)
        return found

    @cached_property
    def main_region(self) -> int:
        """The largest region; 0 when nothing is free."""
        sizes = np.bincount(self.regions.ravel())
        sizes[0] = 0
        return int(np.argmax(sizes))

    def cell(self, x: float, y: float) -> tuple[int, int] | None:
        """Returns the cell of a point; ``None`` off the map."""
        if not (math.isfinite(x) and math.isfinite(y)):
            return None
        i, j = round((x - self.x0_m) / CELL_M), round((y - self.y0_m) / CELL_M)
        inside = 0 <= i < self.free.shape[0] and 0 <= j < self.free.shape[1]
        return (i, j) if inside else None

    def point(self, i: int, j: int) -> tuple[float, float]:
        """Returns the middle of a cell."""
        return self.x0_m + int(i) * CELL_M, self.y0_m + int(j) * CELL_M

    def points(self, cells: NDArray[np.intp]) -> Floats:
        """Returns the middles of cells[N, 2]."""
        middles: Floats = np.array((self.x0_m, self.y0_m)) + cells * CELL_M
        return middles

    def is_free(self, x: float, y: float) -> bool:
        """Tells whether the agent may stand there, to the width of a cell."""
        cell = self.cell(x, y)
        return cell is not None and bool(self.free[cell])

    def require_free(self, x: float, y: float, what: str = "start pose") -> None:
        """Refuses a place in a wall or in furniture.

        Raises:
            UsageError: naming the place and the nearest free one.
        """
        if not self.is_free(x, y):
            near = self.nearest_free(x, y)
            advice = f"The nearest free place is ({near[0]:.2f}, {near[1]:.2f})." if near else "Nothing is free there."
            raise UsageError(
                f"Expected a {what} {self.radius_m} m away from walls and furniture, got ({x:.2f}, {y:.2f}). {advice}"
            )

    def nearest_free(self, x: float, y: float, within_m: float = 2.0) -> tuple[float, float] | None:
        """Returns the free place nearest to a point; ``None`` when there is none within the distance."""
        cells = np.argwhere(self.free)
        if not len(cells):
            return None
        gaps = np.hypot(self.x0_m + cells[:, 0] * CELL_M - x, self.y0_m + cells[:, 1] * CELL_M - y)
        best = int(np.argmin(gaps))
        return self.point(*cells[best]) if gaps[best] <= within_m else None

    def reached_from(self, x: float, y: float) -> int:
        """Counts the cells that can be walked to from the free place nearest to a point."""
        near = self.nearest_free(x, y)
        cell = None if near is None else self.cell(*near)
        return 0 if cell is None else int((self.regions == self.regions[cell]).sum())

    def random_place(self, rng: np.random.Generator, region: int | None = None) -> tuple[float, float]:
        """Draws a free place, by default in the main region."""
        cells = np.argwhere(self.regions == (self.main_region if region is None else region))
        if not len(cells) or self.main_region == 0:
            raise UsageError("Expected a house with free floor, got none. Make rooms larger or remove furniture.")
        x, y = self.point(*cells[int(rng.integers(len(cells)))])
        return round(x, 3), round(y, 3)

    def reaches(self, room: Room) -> bool:
        """Tells whether enough of a room's floor belongs to the main region."""
        return self.reached_m2(room) >= REACHABLE_ROOM_M2

    def reached_m2(self, room: Room) -> float:
        """Returns how much of a room's floor belongs to the main region."""
        xs, ys = self.axes()
        inside = contains(room.outline_m, xs[:, None], ys[None, :])
        reached = inside & (self.regions == self.main_region)
        return float(np.sum(reached)) * CELL_M**2 if self.main_region > 0 else 0.0

    def distances_to(self, goals_m: Sequence[tuple[float, float]]) -> Floats:
        """Returns every cell's walking distance to the nearest goal, infinite where there is no way.

        The grid's sixteen directions overstate true distances by up to 2.8 %; ``path`` straightens its result.
        """
        nodes = [self._node(x, y) for x, y in goals_m]
        reached = csgraph.dijkstra(self._graph, directed=False, indices=nodes, min_only=True)
        field = np.full(self.free.shape, np.inf)
        field[self.free] = reached
        return field

    def path(self, start_m: tuple[float, float], goal_m: tuple[float, float]) -> Path | None:
        """Returns the shortest way, with straight stretches where nothing is between; ``None`` if there is none."""
        start, goal = self._node(*start_m), self._node(*goal_m)
        if self.regions[self.cell(*start_m)] != self.regions[self.cell(*goal_m)]:
            return None
        _, previous = csgraph.dijkstra(self._graph, directed=False, indices=goal, return_predecessors=True)
        cells, node = [self._cells[start]], start
        while node != goal:
            node = int(previous[node])
            cells.append(self._cells[node])
        corners = np.array([self.point(*cell) for cell in self._straightened(cells)])
        corners[0], corners[-1] = start_m, goal_m
        return Path(corners, float(np.sum(np.hypot(*np.diff(corners, axis=0).T))))

    def distance(self, start_m: tuple[float, float], goal_m: tuple[float, float]) -> float:
        """Returns the length of the shortest way; infinite when there is none."""
        path = self.path(start_m, goal_m)
        return math.inf if path is None else path.length_m

    def clear_line(self, start_m: tuple[float, float], end_m: tuple[float, float]) -> bool:
        """Tells whether the agent can walk straight from one place to the other."""
        steps = max(2, math.ceil(math.dist(start_m, end_m) / (CELL_M / 3)))
        xs = np.linspace(start_m[0], end_m[0], steps)
        ys = np.linspace(start_m[1], end_m[1], steps)
        i = np.rint((xs - self.x0_m) / CELL_M).astype(int)
        j = np.rint((ys - self.y0_m) / CELL_M).astype(int)
        inside = (i >= 0) & (j >= 0) & (i < self.free.shape[0]) & (j < self.free.shape[1])
        return bool(inside.all() and self.free[i, j].all())

    @cached_property
    def _cells(self) -> NDArray[np.int64]:
        return np.argwhere(self.free)

    @cached_property
    def _numbers(self) -> NDArray[np.int64]:
        numbers = np.full(self.free.shape, -1, dtype=np.int64)
        numbers[self.free] = np.arange(int(self.free.sum()))
        return numbers

    @cached_property
    def _graph(self) -> Any:
        heads, tails, lengths = [], [], []
        for (di, dj), passed in MOVES:
            ok = _shifted(self.free, di, dj) & self.free
            for pi, pj in passed:
                ok &= _shifted(self.free, pi, pj)
            i, j = np.nonzero(ok)
            heads.append(self._numbers[i, j])
            tails.append(self._numbers[i + di, j + dj])
            lengths.append(np.full(len(i), math.hypot(di, dj) * CELL_M))
        count = len(self._cells)
        entries = np.concatenate(lengths), (np.concatenate(heads), np.concatenate(tails))
        return sparse.csr_matrix(entries, shape=(count, count))

    def _node(self, x: float, y: float) -> int:
        self.require_free(x, y, "place")
        cell = self.cell(x, y)
        assert cell is not None
        return int(self._numbers[cell])

    def _straightened(self, cells: Sequence[Any]) -> list[Any]:
        kept, place = [cells[0]], 0
        while place < len(cells) - 1:
            step = len(cells) - 1
            while step > place + 1 and not self.clear_line(self.point(*cells[place]), self.point(*cells[step])):
                step -= max(1, (step - place) // 8)
            place = step
            kept.append(cells[place])
        return kept

    def axes(self) -> tuple[Floats, Floats]:
        """Returns the x of the cells' columns and the y of their rows."""
        count_x, count_y = self.free.shape
        xs = self.x0_m + CELL_M * np.arange(count_x, dtype=np.float64)
        return xs, self.y0_m + CELL_M * np.arange(count_y, dtype=np.float64)


def build_map(
    house: House, obstacles: Iterable[Obstacle], radius_m: float, height_m: float, step_over_m: float = STEP_OVER_M
) -> NavigationMap:
    """Builds the map from obstacles between stepping height and the agent's height."""
    whole = bounds([room.outline_m for room in house.rooms])
    xs = np.arange(whole.x0, whole.x1 + CELL_M / 2, CELL_M)
    ys = np.arange(whole.y0, whole.y1 + CELL_M / 2, CELL_M)
    clearance = np.full((len(xs), len(ys)), FARTHEST_CLEARANCE_M)
    for obstacle in obstacles:
        if obstacle.bottom < height_m and obstacle.top > step_over_m:
            _lower(clearance, xs, ys, obstacle)
    indoors = np.zeros(clearance.shape, dtype=bool)
    for room in house.rooms:
        indoors |= contains(room.outline_m, xs[:, None], ys[None, :])
    return NavigationMap(float(xs[0]), float(ys[0]), np.where(indoors, clearance, -1.0), radius_m)


def _lower(clearance: Floats, xs: Floats, ys: Floats, obstacle: Obstacle) -> None:
    cosine, sine = math.cos(obstacle.yaw_rad), math.sin(obstacle.yaw_rad)
    reach_x = abs(cosine) * obstacle.half_x + abs(sine) * obstacle.half_y + FARTHEST_CLEARANCE_M
    reach_y = abs(sine) * obstacle.half_x + abs(cosine) * obstacle.half_y + FARTHEST_CLEARANCE_M
    i0, i1 = _cells_within(xs, obstacle.x, reach_x)
    j0, j1 = _cells_within(ys, obstacle.y, reach_y)
    dx, dy = xs[i0:i1, None] - obstacle.x, ys[None, j0:j1] - obstacle.y
    if min(abs(cosine), abs(sine)) < UPRIGHT:
        # Each distance then depends on one coordinate, and most furniture stands at right angles to the walls.
        along, across = np.abs(dx) - (reach_x - FARTHEST_CLEARANCE_M), np.abs(dy) - (reach_y - FARTHEST_CLEARANCE_M)
    else:
        along = np.abs(cosine * dx + sine * dy) - obstacle.half_x
        across = np.abs(cosine * dy - sine * dx) - obstacle.half_y
    along, across = np.maximum(along, 0.0), np.maximum(across, 0.0)
    window = clearance[i0:i1, j0:j1]
    np.minimum(window, np.sqrt(along * along + across * across), out=window)


def _cells_within(middles: Floats, place: float, reach: float) -> tuple[int, int]:
    """Returns the first cell and the one after the last that may be within reach of a place along one axis."""
    first = middles.item(0)
    low, high = (place - reach - first) / CELL_M, (place + reach - first) / CELL_M
    return max(math.floor(low), 0), max(math.ceil(high) + 1, 0)


def _shifted(mask: NDArray[np.bool_], di: int, dj: int) -> NDArray[np.bool_]:
    moved = np.zeros_like(mask)
    rows, columns = mask.shape
    moved[max(0, -di) : rows - max(0, di), max(0, -dj) : columns - max(0, dj)] = mask[
        max(0, di) : rows + min(0, di), max(0, dj) : columns + min(0, dj)
    ]
    return moved
