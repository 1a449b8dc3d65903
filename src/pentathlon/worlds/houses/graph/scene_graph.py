"""The scene graph: rooms, objects and the agent as nodes, and every relation between them as a matrix."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pentathlon.core.errors import UnknownIdError
from pentathlon.worlds.houses.assets.types import ShapeClass

Kind = Literal["room", "object", "agent"]
Matrix = NDArray[np.bool_]
INVERSES: dict[str, str] = {
    "contains": "in",
    "right": "left",
    "below": "above",
    "behind": "front",
    "lighter": "heavier",
    "smaller": "larger",
    "shorter": "longer",
}
RELATIONS: tuple[str, ...] = (
    "on", "in", "contains", "under", "near", "adjacent", "left", "right", "front", "behind", "above", "below",
    "heavier", "lighter", "larger", "smaller", "longer", "shorter", "sees", "holds", "touches",
)  # fmt: skip


@dataclass(frozen=True)
class Node:
    """A room, an object or the agent.

    Attributes:
        type: room type, object type, or "Agent".
        size_m: width, depth and height of the thing itself.
        low_m: lower corner of its upright box in the house.
        high_m: upper corner of its upright box in the house.
        states: words such as "open", "off", "sliced", "dirty", "hot", "cold", "filled", "broken".
        room: id of the room that it is in; empty for rooms.
        shape: class within which sizes are compared.
    """

    id: str
    kind: Kind
    type: str
    low_m: tuple[float, float, float]
    high_m: tuple[float, float, float]
    size_m: tuple[float, float, float] = (0.0, 0.0, 0.0)
    colours: tuple[str, ...] = ()
    materials: tuple[str, ...] = ()
    mass_kg: float = 0.0
    states: frozenset[str] = frozenset()
    pickupable: bool = False
    openable: bool = False
    room: str = ""
    shape: ShapeClass | None = None

    @property
    def centre_m(self) -> tuple[float, float, float]:
        """Middle of its upright box."""
        x, y, z = ((low + high) / 2 for low, high in zip(self.low_m, self.high_m, strict=True))
        return x, y, z


class Fact(NamedTuple):
    """One edge: subject, relation, object, read in that order ("mug on table")."""

    subject: str
    relation: str
    object: str


@dataclass(frozen=True, eq=False)
class SceneGraph:
    """Nodes, and for each relation the matrix [subject, object] over them."""

    nodes: tuple[Node, ...]
    relations: Mapping[str, Matrix]

    @cached_property
    def index(self) -> dict[str, int]:
        """Place of each node by its id."""
        return {node.id: i for i, node in enumerate(self.nodes)}

    def node(self, node_id: str) -> Node:
        """Returns the node of that id."""
        return self.nodes[self._place(node_id)]

    def holds(self, subject: str, relation: str, other: str) -> bool:
        """Tells whether a relation holds between two nodes."""
        return bool(self._matrix(relation)[self._place(subject), self._place(other)])

    def subjects(self, relation: str, other: str) -> tuple[Node, ...]:
        """Returns the nodes that stand in the relation to ``other``."""
        return tuple(self.nodes[i] for i in np.flatnonzero(self._matrix(relation)[:, self._place(other)]))

    def objects(self, subject: str, relation: str) -> tuple[Node, ...]:
        """Returns the nodes to which ``subject`` stands in the relation."""
        return tuple(self.nodes[i] for i in np.flatnonzero(self._matrix(relation)[self._place(subject)]))

    def facts(self, *relations: str) -> Iterator[Fact]:
        """Yields all edges, or those of the named relations."""
        for relation in relations or RELATIONS:
            for i, j in np.argwhere(self._matrix(relation)):
                yield Fact(self.nodes[i].id, relation, self.nodes[j].id)

    def _place(self, node_id: str) -> int:
        if node_id not in self.index:
            raise UnknownIdError("node", node_id, self.index)
        return self.index[node_id]

    def _matrix(self, relation: str) -> Matrix:
        if relation not in self.relations:
            raise UnknownIdError("relation", relation, self.relations)
        return self.relations[relation]
