"""Every object type that houses know, found by listing the modules in `families`."""

from __future__ import annotations

import importlib
import pkgutil
import zlib
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from pentathlon.core.errors import PentathlonError, UnknownIdError
from pentathlon.worlds.houses.assets import families
from pentathlon.worlds.houses.assets.asset import Asset
from pentathlon.worlds.houses.assets.asset_store import AssetStore
from pentathlon.worlds.houses.assets.types import ObjectType

STORE = AssetStore()
SLICED = "Sliced"


@lru_cache(maxsize=1)
def catalogue() -> Mapping[str, ObjectType]:
    """Return all object types by name, sorted."""
    found: dict[str, ObjectType] = {}
    for module_info in pkgutil.walk_packages(families.__path__, families.__name__ + "."):
        module = importlib.import_module(module_info.name)
        for value in vars(module).values():
            if not isinstance(value, ObjectType):
                continue
            if found.setdefault(value.name, value) is not value:
                raise PentathlonError(
                    f"Object type {value.name!r} is defined twice, the second time in {module_info.name}."
                )
    return MappingProxyType(dict(sorted(found.items())))


def object_type_named(name: str) -> ObjectType:
    """Return the object type of that name."""
    try:
        return catalogue()[name]
    except KeyError:
        raise UnknownIdError("object type", name, catalogue()) from None


# Several houses of a few variants of each type fit into it.
@lru_cache(maxsize=2048)
def variant(name: str, seed: int) -> Asset:
    """Return the object of that type and seed: the same for the same seed, always, and built once per machine.

    A type of food followed by "Sliced" is one slice of it.
    """
    if name.endswith(SLICED) and name not in catalogue():
        piece = variant(name.removesuffix(SLICED), seed).piece
        if piece is None:
            raise UnknownIdError("object type", name, catalogue())
        return piece
    kind = object_type_named(name)
    rng = np.random.default_rng([zlib.crc32(name.encode()), seed])
    return STORE.get_or_build(f"{name}-{seed}", lambda: kind.build(rng))
