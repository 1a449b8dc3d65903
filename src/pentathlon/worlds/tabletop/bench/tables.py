"""What may stand on the bench: places, containers and materials, and which of them training may see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeVar

from pentathlon.core.errors import UnknownIdError, UsageError
from pentathlon.worlds.tabletop.arm.robot import Setup, TaskName

Colour = tuple[float, float, float]
GrainShape = Literal["sphere", "capsule", "box", "ellipsoid"]

WORKSPACE_M: Final = (0.60, 1.10)
"""Depth (away from the robot's base, x) and width (y, to the robot's left) of the bench that the arm uses."""
JITTER_M: Final = 0.015
"""Containers stand up to this far from their location, in x and in y."""


@dataclass(frozen=True)
class Location:
    """A place on the bench, in metres from the robot's base: x ahead, y to the robot's left."""

    name: str
    x_m: float
    y_m: float
    training: bool


@dataclass(frozen=True)
class Container:
    """A cup or a bowl, a regular polygon (or a circle) that widens along a profile.

    Attributes:
        name: what people call it.
        task: cups are poured into, bowls are scooped from.
        profile_m: inner (radius, height above the inner floor), from the floor to the rim.
        sides: of the polygon; 4 is a square, 16 and more count as round.
        colour: RGB, 0..1.
        training: whether the training data may hold it.
    """

    name: str
    task: TaskName
    profile_m: tuple[tuple[float, float], ...]
    sides: int
    colour: Colour
    training: bool

    @property
    def height_m(self) -> float:
        """From the inner floor to the rim."""
        return self.profile_m[-1][1]

    @property
    def rim_radius_m(self) -> float:
        """Inner radius at the rim, to the middle of a side."""
        return self.profile_m[-1][0]


@dataclass(frozen=True)
class Grain:
    """One kind of grain: MuJoCo's half sizes, and colour."""

    shape: GrainShape
    size_m: tuple[float, ...]
    colour: Colour


@dataclass(frozen=True)
class Material:
    """Many grains; kinds are taken in turn.

    Attributes:
        name: what people call it.
        task: pouring and scooping have materials of their own.
        grains: the kinds that it mixes.
        count: grains in the held cup or in the bowl.
        density_kg_m3: of one grain.
        friction: sliding friction of grains on all else.
        training: whether the training data may hold it.
    """

    name: str
    task: TaskName
    grains: tuple[Grain, ...]
    count: int
    density_kg_m3: float
    friction: float
    training: bool


_Named = TypeVar("_Named", Location, Container, Material)


def _by_name(rows: Iterable[_Named]) -> Mapping[str, _Named]:
    return {row.name: row for row in rows}


LOCATIONS: Final = _by_name(
    (
        Location("front_left", 0.61, 0.22, training=True),
        Location("front_centre", 0.61, 0.0, training=True),
        Location("front_right", 0.61, -0.22, training=True),
        Location("back_left", 0.50, 0.22, training=True),
        Location("back_centre", 0.50, 0.0, training=True),
        Location("back_right", 0.50, -0.22, training=True),
        Location("middle_left", 0.555, 0.11, training=False),
        Location("middle_right", 0.555, -0.11, training=False),
        Location("far_centre", 0.66, 0.0, training=False),
    )
)

CONTAINERS: Final = _by_name(
    (
        Container("red_cup", "pour", ((0.036, 0.0), (0.048, 0.110)), 16, (0.78, 0.12, 0.12), training=True),
        Container("blue_mug", "pour", ((0.043, 0.0), (0.043, 0.090)), 16, (0.14, 0.28, 0.66), training=True),
        Container("white_bowl_cup", "pour", ((0.040, 0.0), (0.060, 0.070)), 16, (0.92, 0.91, 0.88), training=True),
        Container("green_box", "pour", ((0.046, 0.0), (0.048, 0.085)), 4, (0.20, 0.52, 0.26), training=True),
        Container("yellow_tumbler", "pour", ((0.040, 0.0), (0.044, 0.125)), 16, (0.90, 0.72, 0.12), training=False),
        Container("purple_hexagon", "pour", ((0.042, 0.0), (0.052, 0.080)), 6, (0.46, 0.25, 0.62), training=False),
        Container(
            "white_bowl", "scoop", ((0.045, 0.0), (0.068, 0.022), (0.080, 0.055)), 16, (0.93, 0.92, 0.90), training=True
        ),
        Container(
            "blue_bowl", "scoop", ((0.050, 0.0), (0.066, 0.020), (0.072, 0.050)), 16, (0.20, 0.36, 0.62), training=True
        ),
        Container("red_dish", "scoop", ((0.055, 0.0), (0.078, 0.045)), 8, (0.72, 0.20, 0.16), training=True),
        Container(
            "green_bowl",
            "scoop",
            ((0.042, 0.0), (0.066, 0.024), (0.078, 0.060)),
            16,
            (0.35, 0.58, 0.34),
            training=False,
        ),
        Container("wooden_bowl", "scoop", ((0.052, 0.0), (0.075, 0.050)), 12, (0.60, 0.42, 0.24), training=False),
    )
)

_CANDY = (0.0085, 0.0085, 0.0085)

MATERIALS: Final = _by_name(
    (
        Material(
            "hazelnuts", "pour", (Grain("sphere", (0.0075,), (0.62, 0.36, 0.16)),),
            count=40, density_kg_m3=640.0, friction=0.4, training=True,
        ),
        Material(
            "beans", "pour", (Grain("capsule", (0.0055, 0.0055), (0.88, 0.84, 0.72)),),
            count=40, density_kg_m3=1100.0, friction=0.35, training=True,
        ),
        Material(
            "candies", "pour",
            tuple(
                Grain("box", _CANDY, colour)
                for colour in ((0.95, 0.35, 0.45), (0.98, 0.62, 0.15), (0.97, 0.86, 0.25), (0.85, 0.15, 0.20))
            ),
            count=24, density_kg_m3=1250.0, friction=0.35, training=False,
        ),
        Material(
            "chickpeas", "scoop", (Grain("sphere", (0.0068,), (0.86, 0.70, 0.42)),),
            count=60, density_kg_m3=1150.0, friction=0.5, training=True,
        ),
        Material(
            "pasta", "scoop", (Grain("capsule", (0.0052, 0.0060), (0.95, 0.80, 0.38)),),
            count=60, density_kg_m3=900.0, friction=0.5, training=True,
        ),
        Material(
            "black_beans", "scoop", (Grain("ellipsoid", (0.0062, 0.0062, 0.0085), (0.13, 0.10, 0.11)),),
            count=60, density_kg_m3=1250.0, friction=0.45, training=True,
        ),
        Material(
            "mixed_nuts", "scoop",
            (
                Grain("ellipsoid", (0.0060, 0.0070, 0.0105), (0.66, 0.42, 0.22)),
                Grain("ellipsoid", (0.0072, 0.0072, 0.0085), (0.82, 0.66, 0.44)),
                Grain("ellipsoid", (0.0055, 0.0065, 0.0090), (0.45, 0.26, 0.14)),
            ),
            count=56, density_kg_m3=980.0, friction=0.5, training=False,
        ),
    )
)  # fmt: skip


def check_setup(setup: Setup) -> None:
    """Refuses a setup that names what is not in the tables, or mixes the two tasks.

    Raises:
        UsageError: saying which field is wrong.
    """
    if setup.task not in ("pour", "scoop"):
        raise UnknownIdError("task", str(setup.task), ("pour", "scoop"))
    tables = (
        ("container", setup.container, containers(setup.task)),
        ("material", setup.material, materials(setup.task)),
    )
    for kind, name, rows in tables:
        known = [row.name for row in rows]
        if name not in known:
            raise UnknownIdError(f"{kind} for {setup.task}", str(name), known)
    if setup.location not in LOCATIONS:
        raise UnknownIdError("location", str(setup.location), LOCATIONS)
    if isinstance(setup.seed, bool) or not isinstance(setup.seed, int) or setup.seed < 0:
        raise UsageError(f"Expected a seed that is a whole number of 0 or more, got {setup.seed!r}.")


def containers(task: TaskName, *, training: bool | None = None) -> tuple[Container, ...]:
    """The task's containers: all, those of the training data, or the unseen ones."""
    return tuple(row for row in CONTAINERS.values() if row.task == task and training in (None, row.training))


def materials(task: TaskName, *, training: bool | None = None) -> tuple[Material, ...]:
    """The task's materials: all, those of the training data, or the unseen one."""
    return tuple(row for row in MATERIALS.values() if row.task == task and training in (None, row.training))


def locations(*, training: bool | None = None) -> tuple[Location, ...]:
    """Places on the bench: all, those of the training data, or the unseen ones."""
    return tuple(row for row in LOCATIONS.values() if training in (None, row.training))
