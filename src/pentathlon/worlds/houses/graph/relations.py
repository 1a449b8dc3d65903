"""Computes the scene graph of a running simulation; thresholds as in EXCALIBUR's code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from pentathlon.worlds.houses.assets.asset import Receptacle
from pentathlon.worlds.houses.assets.catalogue import catalogue
from pentathlon.worlds.houses.assets.to_mujoco import COLLISION_GROUP
from pentathlon.worlds.houses.graph.partition import Partition, closest_points
from pentathlon.worlds.houses.graph.scene_graph import INVERSES, RELATIONS, Matrix, Node, SceneGraph
from pentathlon.worlds.houses.graph.states import opening_word, state_words
from pentathlon.worlds.houses.graph.visibility import Viewpoint, visible_objects
from pentathlon.worlds.houses.house import PlacedObject, Room, State
from pentathlon.worlds.houses.plan.polygons import bounds, contains_point
from pentathlon.worlds.houses.scene.geometry import ObjectGeometry
from pentathlon.worlds.houses.scene.house_scene import HouseScene

Floats = NDArray[np.float64]
AGENT = "agent"
# The thickest mat that furniture stands through; cushions, into which things sink deeper, are receptacles.
PILE_M = 0.03


@dataclass(frozen=True)
class Thresholds:
    """Distances and limits that relations depend on.

    Attributes:
        near_m: between centres or boxes.
        rest_above_m: how far the underside of a thing may be above the surface that carries it.
        rest_below_m: how far it may sink into a soft one.
        cover_m: how far above a thing lies what it is under.
        see_m: distance within which the agent sees.
        touch_m: distance from the agent's body within which it can touch.
        heaviest_kg: masses are compared only up to this.
        closed: opening up to which something counts as closed, and `half_open` as partly open.
    """

    near_m: float = 0.5
    rest_above_m: float = 0.02
    rest_below_m: float = 0.065
    cover_m: float = 1.0
    see_m: float = 1.25
    touch_m: float = 2.0
    heaviest_kg: float = 5.0
    closed: float = 0.05
    half_open: float = 0.5


STANDARD = Thresholds()


@dataclass(frozen=True)
class AgentState:
    """The agent as a node: where it looks from, its upright box, and what it holds."""

    view: Viewpoint
    low_m: tuple[float, float, float]
    high_m: tuple[float, float, float]
    held: str | None = None


def build_graph(
    scene: HouseScene,
    data: Any,
    geometry: ObjectGeometry,
    *,
    agent: AgentState | None = None,
    states: Mapping[str, State] | None = None,
    thresholds: Thresholds = STANDARD,
) -> SceneGraph:
    """Builds the graph of the present state.

    Args:
        scene: the house.
        data: its state, after ``mj_forward``.
        geometry: its meshes.
        agent: adds the agent and the relations that depend on its eyes and hands.
        states: switch states by object id where they differ from the house file.
        thresholds: when relations hold.
    """
    low, high = geometry.bounds(data)
    builder = _Builder(scene, data, low, high, thresholds)
    objects = [builder.object_node(i, item, states or {}) for i, item in enumerate(scene.house.objects)]
    rooms = [_room_node(room, scene.house.ceiling_m) for room in scene.house.rooms]
    agents = [] if agent is None else [_agent_node(scene, agent)]
    small = builder.matrices(objects)
    if agent is not None:
        seen = visible_objects(scene, data, geometry, agent.view, thresholds.see_m)
        small.update(_directions(low, high, agent.view, seen))
    graph = _assembled(objects, rooms, agents, small)
    if agent is not None:
        _relate_agent(graph, agent, seen, low, high, thresholds)
    return graph


class _Builder:
    """Relations among the objects of one state, as matrices over the objects."""

    def __init__(self, scene: HouseScene, data: Any, low: Floats, high: Floats, limits: Thresholds) -> None:
        self.scene, self.data, self.low, self.high, self.limits = scene, data, low, high, limits
        self.centre = (low + high) / 2
        self.count = len(low)

    def object_node(self, i: int, item: PlacedObject, states: Mapping[str, State]) -> Node:
        asset = self.scene.placed[item.id].asset
        x, y, _ = self.centre[i]
        rooms = (room.id for room in self.scene.house.rooms if contains_point(room.outline_m, x, y))
        kind = catalogue().get(item.type)
        return Node(
            id=item.id,
            kind="object",
            type=item.type,
            low_m=_triple(self.low[i]),
            high_m=_triple(self.high[i]),
            size_m=_triple(asset.size_m),
            colours=asset.colours,
            materials=asset.materials,
            mass_kg=asset.mass_kg,
            states=frozenset(self._states(item, states.get(item.id, item.state))),
            pickupable="pickupable" in asset.abilities,
            openable="openable" in asset.abilities,
            room=next(rooms, ""),
            shape=None if kind is None else kind.shape,
        )

    def _states(self, item: PlacedObject, state: State) -> Iterator[str]:
        placed = self.scene.placed[item.id]
        if placed.joints:
            openings = [self._opening(item.id, joint) for joint in placed.joints]
            yield opening_word(openings, self.limits.closed, self.limits.half_open)
        yield from state_words(placed.asset.abilities, state)

    def _opening(self, object_id: str, joint: str) -> float:
        placed = self.scene.placed[object_id]
        address = self.scene.model.joint(placed.joints[joint]).qposadr[0]
        return float(self.data.qpos[address]) / placed.asset.joint(joint).reach

    def matrices(self, nodes: list[Node]) -> dict[str, Matrix]:
        on, inside = self._carried()
        gaps = np.maximum(self.low[:, None] - self.high[None], 0.0) + np.maximum(
            self.low[None] - self.high[:, None], 0.0
        )
        apart = np.linalg.norm(gaps, axis=-1)
        between_centres = np.linalg.norm(self.centre[:, None] - self.centre[None], axis=-1)
        close = (apart <= self.limits.near_m) | (between_centres <= self.limits.near_m)
        near = close & ~np.eye(self.count, dtype=bool) & ~self._parted(close)
        return {
            "on": on,
            "in": inside,
            "under": self._covered(on | inside),
            "near": near,
            "adjacent": self._adjacent(near),
            **_comparisons(nodes, self.limits),
        }

    def _parted(self, close: Matrix) -> Matrix:
        """Which close things have a wall between their middles and also where their boxes are closest."""
        parted = np.zeros_like(close)
        i, j = np.nonzero(np.triu(close, 1))
        walls = Partition(self.scene.house)
        cut = walls.cuts(self.centre[i], self.centre[j])
        i, j = i[cut], j[cut]
        cut = walls.cuts(*closest_points(self.low[i], self.high[i], self.low[j], self.high[j]))
        parted[i[cut], j[cut]] = parted[j[cut], i[cut]] = True
        return parted

    def _carried(self) -> tuple[Matrix, Matrix]:
        on = np.zeros((self.count, self.count), dtype=bool)
        inside = np.zeros_like(on)
        for j, item in enumerate(self.scene.house.objects):
            for receptacle in self.scene.placed[item.id].asset.receptacles:
                rows = self._resting(item.id, receptacle)
                rows[j] = False
                (on if receptacle.relation == "on" else inside)[rows, j] = True
        for i in np.flatnonzero(~(on | inside).any(axis=1)):
            carrier = self._beneath(int(i))
            if carrier is not None:
                on[i, carrier] = True
        return on & ~inside, inside

    def _beneath(self, i: int) -> int | None:
        """What a thing that no receptacle holds stands on, such as a rug; ``None`` for the building."""
        start_m = min(0.02, (self.high[i, 2] - self.low[i, 2]) / 2)
        start = np.array([self.centre[i, 0], self.centre[i, 1], self.low[i, 2] + start_m])
        for j in self._hits(start, np.array([0.0, 0.0, -start_m - self.limits.rest_above_m]), i):
            if j < 0 or self._is_free(i):
                return j if j >= 0 and self._is_level(i, j) else None
            # Furniture stands on a rug whatever lies between its legs.
            if not self._is_free(j) and self._is_level(i, j) and self._share_over(i, j) >= 0.5:
                return j
        return None

    def _is_level(self, i: int, j: int) -> bool:
        """Whether a thing is on top of another, or sunk into its pile, and not within it."""
        return bool(self.high[j, 2] <= self.low[i, 2] + PILE_M)

    def _is_free(self, i: int) -> bool:
        return bool(self.scene.placed[self.scene.house.objects[i].id].free_joint)

    def _share_over(self, i: int, j: int) -> float:
        """How much of a thing's box is over another's: a table stands on a rug, but not on a card between its legs."""
        shared = np.minimum(self.high[i], self.high[j]) - np.maximum(self.low[i], self.low[j])
        own = self.high[i] - self.low[i]
        return float(np.prod(np.maximum(shared, 0.0)[:2]) / max(np.prod(own[:2]), 1e-9))

    def _resting(self, object_id: str, receptacle: Receptacle) -> Matrix:
        """Which objects have their middle over the rectangle and their underside at its level."""
        placed = self.scene.placed[object_id]
        anchor = np.zeros(3)
        name = placed.name
        if receptacle.joint:
            name, anchor = placed.joints[receptacle.joint], np.array(placed.asset.joint(receptacle.joint).anchor_m)
        body = self.scene.model.body(name).id
        turn, origin = self.data.xmat[body].reshape(3, 3), self.data.xpos[body]
        local = (self.centre - origin) @ turn + anchor - np.array(receptacle.centre_m)
        half = np.array(receptacle.size_m) / 2 + 0.01
        level = origin[2] + (turn @ (np.array(receptacle.centre_m) - anchor))[2]
        gap = self.low[:, 2] - level
        over = (np.abs(local[:, :2]) <= half).all(axis=1)
        beneath_lid = self.high[:, 2] <= level + receptacle.clearance_m + 0.02
        found: Matrix = over & beneath_lid & (gap <= self.limits.rest_above_m) & (gap >= -self.limits.rest_below_m)
        return found

    def _covered(self, carried: Matrix) -> Matrix:
        under = np.zeros((self.count, self.count), dtype=bool)
        for i in range(self.count):
            # From within the thing, however thin: a ray that begins below it meets the floor first.
            below_top_m = min(0.002, (self.high[i, 2] - self.low[i, 2]) / 2)
            start = np.array([self.centre[i, 0], self.centre[i, 1], self.high[i, 2] - below_top_m])
            j = self._first_hit(start, np.array([0.0, 0.0, self.limits.cover_m]), i)
            if j is not None and j >= 0 and not carried[i, j] and not carried[j, i]:
                under[i, j] = self.high[j, 2] > self.high[i, 2]
        return under

    def _adjacent(self, near: Matrix) -> Matrix:
        adjacent = np.zeros_like(near)
        for i, j in np.argwhere(np.triu(near)):
            adjacent[i, j] = adjacent[j, i] = self._sees(i, j) or self._sees(j, i)
        return adjacent

    def _sees(self, i: int, j: int) -> bool:
        """Whether nothing is met between a thing's middle and another thing."""
        return self._first_hit(self.centre[i], self.centre[j] - self.centre[i], int(i)) in (j, None)

    def _first_hit(self, start: Floats, ray: Floats, own: int) -> int | None:
        """Returns the first object other than ``own`` on a ray; -1 for the building, ``None`` for nothing."""
        return next(self._hits(start, ray, own), None)

    def _hits(self, start: Floats, ray: Floats, own: int) -> Iterator[int]:
        """Yields the objects other than ``own`` on a ray, in order, each as often as it is met; -1 for the building."""
        groups = np.zeros(6, dtype=np.uint8)
        groups[COLLISION_GROUP] = 1
        geom = np.zeros(1, dtype=np.int32)
        # Its own body is left out: a rug that begins where that ends would be stepped over with it.
        body = self.scene.body_id(self.scene.house.objects[own].id)
        travelled = 0.0
        while travelled < 1.0:
            share = mujoco.mj_ray(self.scene.model, self.data, start + travelled * ray, ray, groups, True, body, geom)
            if share < 0 or travelled + share > 1.0:
                return
            hit = int(self.scene.object_of_geom[geom[0]])
            if hit != own:
                yield hit
            travelled += share + 1e-4


def _comparisons(nodes: list[Node], limits: Thresholds) -> dict[str, Matrix]:
    mass = np.array([node.mass_kg for node in nodes])
    known = (mass > 0) & (mass <= limits.heaviest_kg)
    heavier = (mass[:, None] > mass[None]) & known[:, None] & known[None]
    sizes = -np.sort(-np.array([node.size_m for node in nodes]).reshape(-1, 3), axis=1)
    of = {shape: np.array([node.shape == shape for node in nodes], dtype=bool) for shape in ("cube", "flat", "long")}
    greater = sizes[:, None] > sizes[None]
    cubes = greater.all(axis=2) & of["cube"][:, None] & of["cube"][None]
    flats = greater[..., :2].all(axis=2) & of["flat"][:, None] & of["flat"][None]
    longer = greater[..., 0] & of["long"][:, None] & of["long"][None]
    return {"heavier": heavier, "larger": cubes | flats, "longer": longer}


def _directions(low: Floats, high: Floats, view: Viewpoint, seen: Matrix) -> dict[str, Matrix]:
    """Relations in the agent's upright frame, by separated boxes, between objects that it sees both."""
    axes = Viewpoint(view.position_m, view.yaw_deg).axes()
    centre, half = (low + high) / 2, (high - low) / 2
    middle, reach = centre @ axes.T, half @ np.abs(axes).T
    least, most = middle - reach, middle + reach
    both = seen[:, None] & seen[None]
    before = most[:, None] <= least[None]
    return {"left": before[..., 0] & both, "below": before[..., 1] & both, "front": before[..., 2] & both}


def _assembled(
    objects: list[Node], rooms: list[Node], agents: list[Node], among_objects: Mapping[str, Matrix]
) -> SceneGraph:
    nodes = (*objects, *rooms, *agents)
    total, count = len(nodes), len(objects)
    relations = {name: np.zeros((total, total), dtype=bool) for name in RELATIONS}
    for name, matrix in among_objects.items():
        relations[name][:count, :count] = matrix
    place = {node.id: i for i, node in enumerate(nodes)}
    for i, node in enumerate(nodes):
        if node.room:
            relations["in"][i, place[node.room]] = True
    for inverse, name in INVERSES.items():
        source, target = (inverse, name) if inverse in among_objects else (name, inverse)
        relations[target] = relations[source].T.copy()
    return SceneGraph(nodes, relations)


def _relate_agent(
    graph: SceneGraph, agent: AgentState, seen: Matrix, low: Floats, high: Floats, limits: Thresholds
) -> None:
    me, count = graph.index[AGENT], len(low)
    gaps = np.maximum(low - np.array(agent.high_m), 0.0) + np.maximum(np.array(agent.low_m) - high, 0.0)
    graph.relations["sees"][me, :count] = seen
    graph.relations["touches"][me, :count] = seen & (np.linalg.norm(gaps, axis=1) <= limits.touch_m)
    if agent.held is not None:
        graph.relations["holds"][me, graph.index[agent.held]] = True
        graph.relations["touches"][me, graph.index[agent.held]] = True


def _room_node(room: Room, ceiling_m: float) -> Node:
    area = bounds([room.outline_m])
    low, high = (area.x0, area.y0, 0.0), (area.x1, area.y1, ceiling_m)
    return Node(room.id, "room", room.type, low, high, (area.width, area.depth, ceiling_m))


def _agent_node(scene: HouseScene, agent: AgentState) -> Node:
    x, y, _ = agent.view.position_m
    rooms = (room.id for room in scene.house.rooms if contains_point(room.outline_m, x, y))
    return Node(AGENT, "agent", "Agent", agent.low_m, agent.high_m, room=next(rooms, ""))


def _triple(values: Floats) -> tuple[float, float, float]:
    return float(values[0]), float(values[1]), float(values[2])
