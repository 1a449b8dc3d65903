"""Small belongings and stationery."""

from __future__ import annotations

import math

import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset, Joint, Part
from pentathlon.worlds.houses.assets.handheld import thing
from pentathlon.worlds.houses.assets.types import Room, object_type
from pentathlon.worlds.modelling.colours import Colour, pick_colour
from pentathlon.worlds.modelling.curves import arc, fillet, rounded_rectangle
from pentathlon.worlds.modelling.materials import look
from pentathlon.worlds.modelling.mesh import Mesh, merge
from pentathlon.worlds.modelling.pictures import book_cover
from pentathlon.worlds.modelling.prints import bank_card, dial, newsprint
from pentathlon.worlds.modelling.shapes import box, cylinder, lathe, rounded_box, torus
from pentathlon.worlds.modelling.sweeps import extrude, loft, panel, sheet, sweep

HOME: tuple[Room, ...] = ("Bedroom", "LivingRoom")
TITLES = ("HOUSE OF STARS", "THE RIVER", "BLUE HOURS", "SMALL ROBOTS", "OLD MAPS", "WINTER SEA")


@object_type("Book", "stationery", "a hardback book", rooms=("Bedroom", "LivingRoom"), shape="flat")
def book(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A hardback lying flat: printed cover, round spine, pages between the boards."""
    width, height, thick = rng.uniform(0.135, 0.165), rng.uniform(0.20, 0.24), rng.uniform(0.022, 0.042)
    tint = pick_colour(rng, colour, "red", "blue", "green", "maroon", "navy", "teal", "brown", "purple", "orange")
    title = TITLES[int(rng.integers(len(TITLES)))]
    cloth = look("paper", tint, rng)
    low_board, high_board = (box((width, height, 0.003)).moved(z=z) for z in (0.0015, thick - 0.0015))
    back = arc((0, 0), thick / 2, 90, 270, 8) * (0.45, 1.0)
    ring = np.concatenate([back, back[::-1] * (0.6, 0.86)])
    spine = extrude(ring, height).turned("x", 90).moved(-width / 2, height / 2, thick / 2)
    pages = box((width - 0.008, height - 0.008, thick - 0.006)).moved(-0.003, 0, thick / 2)
    cover = panel(width, height, 0.0005).turned("x", -90).moved(z=thick + 0.0004)
    print_look = look("paper", "white", texture=book_cover(rng, tint, title, aspect=width / height))
    paper = look("paper", Colour("cream", (0.95, 0.92, 0.84)), texture="ribbed")
    text = look("paper", "white", texture=newsprint(rng))
    first_page = panel(width - 0.012, height - 0.012, 0.0004).turned("x", -90).moved(-0.003, 0, thick - 0.0031)
    hinge = Joint.hinge("cover", (0, -1, 0), (-width / 2, 0, thick - 0.0015), 165, (width / 2, 0, thick))
    parts = [
        Part(merge([low_board, spine]), cloth),
        Part(pages, paper),
        Part(first_page, text),
        Part(high_board, cloth, joint="cover"),
        Part(cover, print_look, joint="cover"),
    ]
    return thing(parts, joints=(hinge,), colours=(tint.name,), materials=("paper",))


@object_type("Newspaper", "stationery", "a folded newspaper", rooms=("LivingRoom", "Bedroom", "Kitchen"), shape="flat")
def newspaper(rng: np.random.Generator) -> Asset:
    """A folded newspaper: front page up, a few loose layers."""
    width, height = rng.uniform(0.27, 0.31), rng.uniform(0.35, 0.39)
    layers = [
        box((width - 0.004 * i, height - 0.003 * i, 0.0028)).moved(0.001 * i, -0.001 * i, 0.0014 + 0.003 * (4 - i))
        for i in range(5)
    ]
    fold = sweep(
        [(-width / 2 + 0.002, -height / 2, 0.0078), (-width / 2 + 0.002, height / 2, 0.0078)], 0.0077, sides=12
    )
    u, v = np.meshgrid(np.linspace(0, 1, 9), np.linspace(0, 1, 3), indexing="ij")
    curl = 0.018 * np.clip(u - 0.62, 0, 1) ** 2 * (1 - 0.4 * v) / 0.15
    page = sheet(np.stack([(u - 0.5) * width, (v - 0.5) * height, 0.0155 + curl], axis=2), 0.0006)
    front = look("paper", "white", texture=newsprint(rng))
    return thing(
        [
            Part(
                merge([*layers, fold]), look("paper", Colour("white", (0.86, 0.85, 0.81)), texture="ribbed"), fill=0.5
            ),
            Part(page, front),
        ],
        colours=("white",),
    )


@object_type("Pen", "stationery", "a ball pen", rooms=HOME, shape="long")
def pen(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A ball pen lying down: coloured barrel, metal tip, clip and push button."""
    length, radius = rng.uniform(0.135, 0.15), rng.uniform(0.0048, 0.0058)
    tint = pick_colour(rng, colour, "blue", "red", "black", "green", "white", "gold")
    barrel = lathe(
        fillet([(0, 0), (radius * 0.8, 0), (radius, 0.02), (radius, length * 0.62), (0, length * 0.62)], 0.001), 18
    ).moved(z=0.014)
    tip = lathe([(0, 0), (0.0007, 0), (0.0011, 0.005), (radius * 0.75, 0.0145), (0, 0.0145)], 16)
    cap = lathe(
        fillet(
            [(0, length * 0.62 + 0.014), (radius * 1.05, length * 0.62 + 0.014), (radius, length), (0, length)], 0.001
        ),
        18,
    )
    push = cylinder(radius * 0.55, 0.012, bevel_m=0.001, segments=12).moved(z=length + 0.005)
    clip = rounded_box((0.003, 0.0016, length * 0.24), 0.0007, 1).moved(0, -radius - 0.002, length * 0.86)
    root = box((0.003, 0.004, 0.004)).moved(0, -radius - 0.001, length * 0.97)
    metal = look("metal", pick_colour(rng, None, "silver", "gold"), rng, texture="")
    flat = [mesh.turned("x", 70).turned("y", 90) for mesh in (merge([barrel, cap]), merge([tip, push, clip, root]))]
    return thing([Part(flat[0], look("plastic", tint)), Part(flat[1], metal, fill=0.5)], colours=(tint.name,))


@object_type("Pencil", "stationery", "a wooden pencil", rooms=HOME, shape="long")
def pencil(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A sharpened pencil: painted hexagonal shaft, bare cone, lead, ferrule and eraser."""
    length, radius = rng.uniform(0.14, 0.185), 0.0042
    tint = pick_colour(rng, colour, "yellow", "yellow", "red", "green", "blue", "orange")
    shaft = lathe([(radius, 0.022), (radius, length)], 6, crease_deg=20)
    cone = lathe([(0.0012, 0.005), (radius * 0.98, 0.0225)], 12)
    lead = lathe([(0, 0), (0.0013, 0.0055), (0, 0.0055)], 10)
    ferrule = cylinder(radius * 1.05, 0.014, segments=14).moved(z=length + 0.006)
    eraser = cylinder(radius * 1.0, 0.010, bevel_m=0.0012, segments=14).moved(z=length + 0.017)
    surfaces = [
        (shaft, look("wood", tint, texture="")),
        (cone, look("wood", Colour("beige", (0.88, 0.72, 0.50)), texture="")),
        (lead, look("stone", Colour("black", (0.16, 0.16, 0.18)), texture="")),
        (ferrule, look("metal", "gold")),
        (eraser, look("rubber", "pink")),
    ]
    return thing(
        [Part(mesh.turned("y", 90), surface) for mesh, surface in surfaces], colours=(tint.name,), materials=("wood",)
    )


@object_type("CreditCard", "stationery", "a bank card", rooms=HOME, shape="flat")
def credit_card(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A bank card with a chip and a number."""
    tint = pick_colour(rng, colour, "navy", "green", "maroon", "black", "purple", "teal")
    accent = pick_colour(rng, None, "orange", "yellow", "cyan")
    card = extrude(rounded_rectangle(0.0856, 0.054, 0.0032, 4), 0.0012)
    face = panel(0.0806, 0.0535, 0.0003).turned("x", -90).moved(z=0.0014)
    return thing(
        [Part(card, look("plastic", tint)), Part(face, look("plastic", "white", texture=bank_card(tint, accent)))],
        colours=(tint.name,),
    )


@object_type("KeyChain", "stationery", "keys on a ring", rooms=("Bedroom", "LivingRoom", "Kitchen"), shape="flat")
def key_chain(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A ring with two or three keys and a coloured fob."""
    ring = torus(0.016, 0.0013, 30, 8).moved(z=0.004)
    metals = [look("metal", name, texture="") for name in ("gold", "silver", "bronze")]
    parts = [Part(ring, metals[1])]
    for i in range(int(rng.integers(2, 4))):
        one = (
            _key(rng.uniform(0.030, 0.036))
            .moved(0.024)
            .turned("z", -50 + 48 * i + rng.uniform(-6, 6))
            .moved(z=0.0022 * (i % 2))
        )
        parts.append(Part(one, metals[i % 3]))
    tint = pick_colour(rng, colour, "red", "blue", "green", "brown", "black")
    fob = extrude(rounded_rectangle(0.042, 0.024, 0.008, 4), 0.005, bevel_m=0.001).moved(-0.043).turned("z", 20)
    eye = cylinder(0.003, 0.0056, segments=12).moved(-0.027, 0, 0.0027).turned("z", 20)
    return thing([*parts, Part(fob, look("leather", tint, rng)), Part(eye, metals[1])], colours=(tint.name, "gold"))


def _key(shaft: float) -> Mesh:
    """A house key along +x, its round bow at the origin."""
    teeth = [(0.010, -0.003)]
    for i in range(6):
        x = 0.012 + shaft * (0.3 + 0.11 * i)
        teeth += [(x, -0.003), (x + shaft * 0.03, -0.0052 + 0.0012 * (i % 3)), (x + shaft * 0.07, -0.003)]
    outline = [*teeth, (0.012 + shaft, 0.0), (0.010 + shaft * 0.97, 0.003), (0.010, 0.003)]
    blade = extrude(outline, 0.002)
    bow = arc((0, 0), 0.011, 0, 360, 24)
    hole = arc((-0.004, 0), 0.0035, 0, 360, 24)
    rings = [
        np.column_stack([flat, np.full(25, z)])[:-1]
        for flat, z in ((bow, 0.0), (bow, 0.002), (hole, 0.002), (hole, 0.0))
    ]
    return merge([blade, loft(rings, closed=True)])


@object_type("Watch", "stationery", "a wrist watch", rooms=("Bedroom", "LivingRoom", "Bathroom"), shape="flat")
def watch(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A wrist watch lying in a loop: leather or metal strap, round dial tilted to the front."""
    tint = pick_colour(rng, colour, "brown", "black", "navy", "red", "silver")
    strap_look = look("leather", tint, rng) if tint.name != "silver" else look("metal", tint, rng)
    angle = np.linspace(0, 2 * math.pi, 37)[:-1]
    loop = np.stack([np.zeros(36), 0.031 * np.cos(angle), 0.025 * np.sin(angle)], axis=1)
    strap = sweep(loop, 1.0, outline=rounded_rectangle(0.003, 0.020, 0.001, 2), closed=True)
    if float(strap.size_m[0]) < 0.015:
        strap = sweep(loop, 1.0, outline=rounded_rectangle(0.020, 0.003, 0.001, 2), closed=True)
    case_look = look("metal", pick_colour(rng, None, "silver", "gold", "black"), texture="")
    case = cylinder(0.0195, 0.008, bevel_m=0.002, segments=32)
    crown = cylinder(0.003, 0.005, segments=10).turned("y", 90).moved(0.021)
    face = cylinder(0.0165, 0.001, segments=32).moved(z=0.0042).with_projected_uvs("z")
    dark = rng.random() < 0.5
    paper = look(
        "paper",
        "white",
        texture=dial(
            rng, (0.08, 0.10, 0.16) if dark else (0.96, 0.96, 0.94), (0.95, 0.95, 0.95) if dark else (0.08, 0.08, 0.1)
        ),
    )
    tilt = 52.0

    def mount(mesh: Mesh) -> Mesh:
        return mesh.moved(z=0.028).turned("x", tilt)

    return thing(
        [Part(strap, strap_look), Part(mount(merge([case, crown])), case_look, fill=0.5), Part(mount(face), paper)],
        colours=(tint.name, case_look.colour.name) if tint.name != case_look.colour.name else (tint.name,),
    )


@object_type("Scissors", "stationery", "a pair of scissors", rooms=("Kitchen", "Bedroom", "Bathroom"), shape="long")
def scissors(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """Scissors lying half open: two blades that cross at a screw, two looped grips."""
    blade, spread = rng.uniform(0.085, 0.11), rng.uniform(12, 22)
    tint = pick_colour(rng, colour, "red", "orange", "blue", "black", "green")
    halves, loops = [], []
    for side in (-1, 1):
        edge = extrude(
            [(-0.03, -0.005), (0.0, -0.006), (blade, -0.001), (blade * 0.9, 0.004), (0.0, 0.006), (-0.03, 0.004)],
            0.002,
            bevel_m=0.0004,
        )
        lift = 0.005 if side > 0 else 0.0028
        halves.append((edge if side > 0 else edge.mirrored("y")).moved(z=lift).turned("z", side * spread / 2))
        oval = np.array([(-0.055, 0.0, 0.0)]) + np.stack(
            [
                0.026 * np.cos(np.linspace(0, 2 * math.pi, 25)[:-1]),
                0.015 * np.sin(np.linspace(0, 2 * math.pi, 25)[:-1]),
                np.zeros(24),
            ],
            axis=1,
        )
        grip = sweep(oval + np.array([0, -side * 0.012, 0.0055]), 0.0048, sides=8, closed=True)
        loops.append(grip.turned("z", side * spread / 2))
    screw = cylinder(0.004, 0.006, bevel_m=0.001, segments=14).moved(z=0.0055)
    return thing(
        [Part(merge([*halves, screw]), look("metal", "silver", rng)), Part(merge(loops), look("plastic", tint))],
        "cuts",
        colours=(tint.name, "silver"),
    )


@object_type("Tape", "stationery", "a roll of adhesive tape", rooms=("Bedroom", "LivingRoom", "Kitchen"), shape="cube")
def tape(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A roll of tape lying on its side around a card core."""
    outer, inner, height = rng.uniform(0.046, 0.056), rng.uniform(0.032, 0.038), rng.uniform(0.030, 0.050)
    tint = pick_colour(rng, colour, "silver", "brown", "blue", "red", "yellow", "green")
    wound = lathe([(inner, 0), (outer, 0), (outer, height), (inner, height), (inner, 0)], 40)
    core = lathe(
        [
            (inner - 0.003, 0),
            (inner + 0.0005, -0.0),
            (inner + 0.0005, height + 0.0006),
            (inner - 0.003, height + 0.0006),
            (inner - 0.003, 0),
        ],
        40,
    )
    u, v = np.meshgrid(np.linspace(0, 1, 6), np.linspace(0, 1, 2), indexing="ij")
    end = sheet(np.stack([outer * 0.98 + 0.004 * u, -0.03 * u, height * v], axis=2)[:, ::-1], 0.0006)
    return thing(
        [
            Part(merge([wound, end]), look("plastic", tint)),
            Part(core, look("cardboard", Colour("brown", (0.70, 0.52, 0.33)))),
        ],
        touch=[wound],
        colours=(tint.name,),
    )
