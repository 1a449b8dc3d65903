"""Every shape is closed, faces outwards and has usable texture coordinates."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pentathlon.core.errors import UsageError
from pentathlon.worlds.modelling.curves import ellipse, fillet, rounded_rectangle, spline
from pentathlon.worlds.modelling.mesh import Mesh, from_faces, merge
from pentathlon.worlds.modelling.shapes import (
    box,
    cushion,
    cylinder,
    ellipsoid,
    lathe,
    rounded_box,
    sphere,
    torus,
)
from pentathlon.worlds.modelling.slicing import cut, slices
from pentathlon.worlds.modelling.sweeps import extrude, handle, loft, panel, sheet, sweep

L_SHAPE = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]


def _wavy_sheet() -> Mesh:
    x, y = np.meshgrid(np.linspace(0, 1, 6), np.linspace(0, 1, 5), indexing="ij")
    return sheet(np.stack([x, y, 0.1 * np.sin(5 * x)], axis=2), 0.01)


def _square_loft() -> Mesh:
    flat = rounded_rectangle(1, 1, 0.2)
    return loft([np.column_stack([flat * scale, np.full(len(flat), z)]) for scale, z in ((1, 0), (0.5, 1))])


SHAPES: dict[str, Callable[[], Mesh]] = {
    "box": lambda: box((1, 2, 3)),
    "cone": lambda: cylinder(0.1, 0.3, top_radius_m=0.0),
    "cushion": lambda: cushion((0.6, 0.6, 0.2)),
    "cylinder": lambda: cylinder(0.1, 0.3, bevel_m=0.01),
    "ellipsoid": lambda: ellipsoid((0.1, 0.2, 0.3)),
    "extruded": lambda: extrude(L_SHAPE, 0.3, bevel_m=0.02),
    "handle": lambda: handle(0.3, 0.05, 0.006),
    "lathe": lambda: lathe([(0, 0), (0.1, 0), (0.1, 0.2), (0.09, 0.2), (0.09, 0.01), (0, 0.01)]),
    "loft": _square_loft,
    "panel": lambda: panel(1, 0.5),
    "ring": lambda: sweep([(1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0)], 0.1, closed=True),
    "rounded_box": lambda: rounded_box((1, 0.5, 0.2), 0.05),
    "sheet": _wavy_sheet,
    "sphere": lambda: sphere(0.1),
    "sweep": lambda: sweep(spline([(0, 0, 0), (0, 0, 1), (1, 0, 1.5)]), 0.1),
    "torus": lambda: torus(0.1, 0.02),
}


@pytest.mark.parametrize("name", SHAPES)
def test_shape_is_closed_and_faces_outwards(name: str) -> None:
    mesh = SHAPES[name]()
    assert mesh.is_closed()
    assert mesh.volume_m3 > 0
    corners = mesh.vertices_m[mesh.faces]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert (np.einsum("fi,fci->fc", across, mesh.normals[mesh.faces]) > 0).all()
    assert np.allclose(np.linalg.norm(mesh.normals, axis=1), 1.0)
    assert np.isfinite(mesh.uvs).all()
    assert np.ptp(mesh.uvs, axis=0).min() > 0


@pytest.mark.parametrize(
    ("mesh", "volume_m3"),
    [
        (box((1, 2, 3)), 6.0),
        (extrude(L_SHAPE, 0.5), 1.5),
        (sphere(0.5, 64), 4 / 3 * math.pi * 0.125),
        (cylinder(0.5, 2.0, segments=96), math.pi * 0.5),
        (torus(1.0, 0.2, 96, 48), 2 * math.pi**2 * 0.04),
        (rounded_box((1, 1, 1), 0.5, steps=16), 4 / 3 * math.pi * 0.125),
    ],
)
def test_volume_is_that_of_the_solid(mesh: Mesh, volume_m3: float) -> None:
    assert mesh.volume_m3 == pytest.approx(volume_m3, rel=0.01)


def test_box_keeps_sharp_edges_and_sphere_smooth_ones() -> None:
    assert len(box((1, 1, 1)).vertices_m) == 24
    ball = sphere(1.0)
    assert np.einsum("ij,ij->i", ball.normals, ball.vertices_m).min() > 0.99


def test_an_open_surface_is_not_closed() -> None:
    lid_off = from_faces([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 2, 1), (0, 1, 3), (0, 3, 2)])
    assert not lid_off.is_closed()


@settings(max_examples=30, deadline=None)
@given(
    size=st.tuples(*[st.floats(0.01, 2.0)] * 3),
    radius=st.floats(0.0005, 0.5),
    turn=st.floats(-180, 180),
)
def test_rounded_boxes_stay_closed_and_within_their_size(
    size: tuple[float, float, float], radius: float, turn: float
) -> None:
    mesh = rounded_box(size, radius)
    assert mesh.is_closed()
    assert np.allclose(mesh.size_m, size, rtol=1e-3)
    assert mesh.turned("y", turn).volume_m3 == pytest.approx(mesh.volume_m3)


def test_moves_turns_mirrors_and_scales() -> None:
    mesh = box((1, 2, 3)).moved(x=5)
    turned = mesh.turned("z", 90)
    assert np.allclose(turned.centroid_m, (0, 5, 0))
    mirrored = mesh.mirrored("x")
    assert np.allclose(mirrored.centroid_m, (-5, 0, 0))
    assert mirrored.volume_m3 == pytest.approx(6)
    assert mesh.scaled(2, 1, 1).volume_m3 == pytest.approx(12)
    assert merge([mesh, mirrored]).volume_m3 == pytest.approx(12)
    assert mesh.digest == box((1, 2, 3)).moved(x=5).digest != mirrored.digest


@pytest.mark.parametrize("factor", [0.0, -1.0, math.nan, math.inf])
def test_a_bad_scale_is_refused(factor: float) -> None:
    with pytest.raises(UsageError, match="positive and finite"):
        box((1, 1, 1)).scaled(factor)


@pytest.mark.parametrize("size", [(0, 1, 1), (1, -1, 1), (math.nan, 1, 1), (1, 1)])
def test_a_bad_size_is_refused(size: tuple[float, ...]) -> None:
    with pytest.raises(UsageError, match="three positive finite metres"):
        box(size)


def test_a_crossing_outline_is_refused() -> None:
    with pytest.raises(UsageError, match="simple polygon"):
        extrude([(0, 0), (2, 2), (2, 0), (0, 2), (1, 3)], 0.1)


def test_a_bevel_too_wide_for_a_tight_rounded_corner_is_narrower() -> None:
    acute = fillet([(-0.062, 0.0), (0.040, 0.0), (0.012, 0.022), (-0.045, 0.022)], 0.008, 3, closed=True)
    plain, bevelled = (extrude(acute, 0.06, bevel_m=bevel_m) for bevel_m in (0.0, 0.0015))
    assert bevelled.is_closed()
    assert 0.9 * plain.volume_m3 < bevelled.volume_m3 < plain.volume_m3


def test_points_along_an_edge_of_an_outline_are_kept() -> None:
    square = [(0, 0), (0.5, 0), (1, 0), (1, 0.5), (1, 1), (0.3, 1), (0, 1)]
    mesh = extrude(square, 0.1)
    assert mesh.is_closed()
    assert mesh.volume_m3 == pytest.approx(0.1)


def test_slices_are_closed_and_add_up_to_the_whole() -> None:
    ball = sphere(0.1)
    pieces = slices(ball, "x", 5, 0.01)
    assert all(piece.whole.is_closed() for piece in pieces)
    assert sum(piece.whole.volume_m3 for piece in pieces) == pytest.approx(ball.volume_m3, rel=1e-6)
    with pytest.raises(UsageError, match="must cut the mesh"):
        cut(ball, "x", 1.0, 2.0)


def test_fillet_and_ellipse_keep_to_their_outline() -> None:
    line = fillet([(0, 0), (1, 0), (1, 1)], 0.2)
    assert np.allclose(line[[0, -1]], [(0, 0), (1, 1)])
    assert not np.any(np.all(np.isclose(line, (1, 0)), axis=1))
    assert np.allclose(np.ptp(ellipse(2, 4), axis=0), (2, 4))
