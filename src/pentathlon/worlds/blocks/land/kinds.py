"""The kinds of blocks: what their sides show, what they leave when broken, and what breaks them fast."""

from __future__ import annotations

from dataclasses import dataclass

from pentathlon.core.errors import UnknownIdError

AIR = 0


@dataclass(frozen=True)
class Kind:
    """A kind of block.

    Attributes:
        top: texture of its top, and of its bottom unless that is named.
        side: texture of its four sides.
        front: texture of the side that faces the player, where it has one.
        drop: item that it leaves; its own name where none is given.
        tool: item that breaks it; empty for the bare hand.
        blows: swings of the arm until it breaks.
    """

    name: str
    top: str
    side: str = ""
    bottom: str = ""
    front: str = ""
    drop: str = ""
    tool: str = ""
    blows: int = 3

    @property
    def sides(self) -> tuple[str, str, str, str]:
        """Textures of top, side, bottom and front."""
        side = self.side or self.top
        return self.top, side, self.bottom or self.top, self.front or side

    @property
    def item(self) -> str:
        """What lies about when it is broken."""
        return self.drop or self.name


KINDS: tuple[Kind, ...] = (
    Kind("air", ""),
    Kind("grass", "grass top", "grass side", "dirt", drop="dirt", tool="shovel"),
    Kind("dirt", "dirt", tool="shovel"),
    Kind("stone", "stone", drop="cobblestone", tool="pickaxe", blows=4),
    Kind("cobblestone", "cobblestone", tool="pickaxe", blows=4),
    Kind("sand", "sand", tool="shovel"),
    Kind("gravel", "gravel", tool="shovel"),
    Kind("oak log", "log top", "oak side", tool="axe"),
    Kind("birch log", "log top", "birch side", tool="axe"),
    Kind("leaves", "leaves", blows=2),
    Kind("oak planks", "oak planks", tool="axe"),
    Kind("bricks", "bricks", tool="pickaxe", blows=4),
    Kind("wool", "wool", blows=2),
    Kind("crafting table", "table top", "table side", "oak planks", tool="axe"),
    Kind("furnace", "furnace side", "furnace side", front="furnace front", tool="pickaxe"),
    Kind("coal ore", "coal ore", drop="coal", tool="pickaxe", blows=4),
    Kind("iron ore", "iron ore", drop="raw iron", tool="pickaxe", blows=4),
    Kind("gold ore", "gold ore", drop="raw gold", tool="pickaxe", blows=4),
    Kind("diamond ore", "diamond ore", drop="diamond", tool="pickaxe", blows=4),
)
CODES: dict[str, int] = {kind.name: code for code, kind in enumerate(KINDS)}


def code_of(name: str) -> int:
    """Returns the number that stands for a kind in the land's array."""
    if name not in CODES:
        raise UnknownIdError("block", name, CODES)
    return CODES[name]


def kind_of(name: str) -> Kind:
    """Returns the kind of that name."""
    return KINDS[code_of(name)]
