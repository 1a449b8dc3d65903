"""Numbers of the paper's tables 1, 2 and 6, in percent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from pentathlon.events.find.episodes.records import CAPABILITIES, Capability

PASTURE: tuple[Capability, ...] = tuple(name for name in CAPABILITIES if name.startswith("pasture-"))
AVERAGE = "average"
"""Over the seven capabilities of PASTURE."""

Numbers: TypeAlias = Mapping[tuple[str, str], float]
"""By capability, or :data:`AVERAGE`, and metric: ``success`` or ``spl``."""

_COLUMNS = (
    *((capability, "success") for capability in PASTURE),
    (AVERAGE, "spl"),
    (AVERAGE, "success"),
    ("objectnav", "spl"),
    ("objectnav", "success"),
)


def _rows(text: str) -> dict[str, Numbers]:
    """Reads rows of a name, a colon and the numbers of the last columns."""
    rows: dict[str, Numbers] = {}
    for row in text.strip().splitlines():
        name, _, numbers = row.partition(":")
        values = [float(number) for number in numbers.split()]
        rows[name.strip()] = dict(zip(_COLUMNS[-len(values) :], values, strict=True))
    return rows


TABLE_1 = _rows("""
CLIP-Ref B/32, whole: 2.8 1.4 1.4 0.8 1.4 4.7 5.0 1.2 2.5 1.6 2.2
CLIP-Ref B/32, centre: 3.6 0.6 1.7 0.6 1.7 2.2 2.5 0.9 1.8 1.0 1.8
CLIP-Ref B/16, whole: 1.4 1.7 1.7 1.9 1.9 2.8 2.2 1.7 1.9 2.4 2.6
CLIP-Ref B/16, centre: 1.4 2.8 2.8 3.1 3.3 1.7 1.9 1.7 2.4 2.1 2.7
CLIP-Patch B/32, whole: 10.6 9.7 6.7 6.4 6.4 16.7 16.7 7.5 10.4 9.0 14.3
CLIP-Patch B/32, centre: 18.1 13.3 13.3 8.6 10.8 17.5 17.8 9.0 14.2 10.6 20.3
CLIP-Patch B/16, whole: 5.6 7.8 3.9 5.0 3.9 10.6 10.8 5.4 6.8 8.2 10.3
CLIP-Patch B/16, centre: 10.6 11.4 7.8 10.8 8.1 16.4 15.6 7.7 11.5 9.7 15.7
CLIP-Grad B/32, whole: 13.6 10.6 9.2 7.5 7.2 13.9 12.8 8.3 10.7 9.6 13.8
CLIP-Grad B/32, centre: 16.1 11.9 11.7 9.7 10.3 14.4 16.1 9.2 12.9 9.7 15.2
CLIP-Grad B/16, whole: 6.1 5.8 5.0 5.0 4.7 8.3 6.9 4.9 6.0 7.3 8.8
CLIP-Grad B/16, centre: 8.1 10.8 8.6 8.6 6.7 11.1 11.4 6.7 9.3 8.6 11.6
MDETR B3, whole: 3.1 6.9 4.4 7.2 4.7 7.8 8.9 5.3 6.2 8.3 9.8
MDETR B3, centre: 3.1 7.2 5.0 6.9 4.7 8.1 8.9 5.4 6.3 8.4 9.9
OWL B/32, whole: 23.1 26.1 14.4 18.3 11.7 13.9 13.1 11.1 17.2 16.6 25.4
OWL B/32, centre: 32.8 26.4 19.4 19.4 16.1 19.2 14.4 12.6 21.1 16.9 26.7
OWL B/16, whole: 25.8 23.6 15.3 17.2 12.5 13.1 13.9 11.4 17.3 16.2 24.8
OWL B/16, centre: 31.9 26.9 18.9 19.4 14.7 18.1 15.8 12.6 20.8 17.2 27.5
""")
TABLE_2 = _rows("""
OWL B/32, centre, learned in RoboTHOR: 10.2 17.3 13.1 20.9
OWL B/32, centre, learned in Habitat: 8.6 19.4 9.8 20.4
OWL B/32, centre, frontiers: 12.6 21.1 16.9 26.7
""")
TABLE_6 = _rows("""
CLIP-Grad B/32, centre, photo: 9.5 15.2
CLIP-Grad B/32, centre, 80 prompts: 9.7 15.2
""")
