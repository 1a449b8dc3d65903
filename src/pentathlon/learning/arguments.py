"""Command lines for the training modules where only torch and numpy are installed: one flag per dataclass field."""

from __future__ import annotations

import argparse
import types
from collections.abc import Sequence
from dataclasses import MISSING, fields
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

Config = TypeVar("Config")


def parse_arguments(config: type[Config], argv: Sequence[str] | None = None) -> Config:
    """Builds the dataclass ``config`` from flags; ``base_lr`` becomes ``--base-lr``."""
    parser = argparse.ArgumentParser(description=config.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    hints = get_type_hints(config)
    for field in fields(config):  # type: ignore[arg-type]
        flag = "--" + field.name.replace("_", "-")
        required = field.default is MISSING
        default = None if required else field.default
        parser.add_argument(flag, required=required, default=default, dest=field.name, **_kind(hints[field.name]))
    values = vars(parser.parse_args(argv))
    return config(**{name: tuple(value) if isinstance(value, list) else value for name, value in values.items()})


def _kind(hint: Any) -> dict[str, Any]:
    origin, inner = get_origin(hint), get_args(hint)
    if origin is types.UnionType:
        return _kind(next(part for part in inner if part is not types.NoneType))
    if origin is tuple:
        return {"nargs": "+", "type": inner[0]}
    if hint is bool:
        return {"action": argparse.BooleanOptionalAction}
    if inner:
        return {"choices": inner}
    return {"type": hint}
