"""Folders of entrants: ``entrant.json`` with code and weights beside it."""

from __future__ import annotations

import importlib
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import msgspec

from pentathlon.core.entrants import Kind, kind_of
from pentathlon.core.errors import DataError, EntrantError

FORMAT = "pentathlon-entrant-v1"
MANIFEST = "entrant.json"
MAX_MANIFEST_BYTES = 64 * 1024

_loaded: list[Path] = []


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What ``entrant.json`` says.

    Attributes:
        format: always :data:`FORMAT`.
        kind: what the factory builds.
        factory: ``module:function`` in the folder; called with ``options`` it returns the entrant.
        options: plain JSON values, passed as keyword arguments.
        name: what people call the entrant.
    """

    format: str
    kind: Kind
    factory: str
    options: dict[str, Any] = {}
    name: str = ""


def read_manifest(folder: Path) -> Manifest:
    """Reads and checks ``entrant.json``.

    Raises:
        DataError: naming the field that is wrong.
    """
    file = folder / MANIFEST
    if not file.is_file():
        raise DataError(f"{folder.name} is no folder of an entrant: expected {MANIFEST} (format {FORMAT}) in it.")
    if file.stat().st_size > MAX_MANIFEST_BYTES:
        raise DataError(
            f"{MANIFEST} is longer than {MAX_MANIFEST_BYTES // 1024} KiB. Keep weights in files of their own."
        )
    try:
        manifest = msgspec.json.decode(file.read_bytes(), type=Manifest)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        example = f'{{"format": "{FORMAT}", "kind": "policy", "factory": "agent:make"}}'
        raise DataError(f"{MANIFEST} is malformed: {error}. Expected something like {example}.") from error
    if manifest.format != FORMAT:
        raise DataError(f"{MANIFEST}: expected the format {FORMAT!r}, got {manifest.format!r}.")
    module, colon, function = manifest.factory.partition(":")
    if not (colon and function.isidentifier() and all(part.isidentifier() for part in module.split("."))):
        raise DataError(f"{MANIFEST}: expected a factory like 'module:function', got {manifest.factory!r}.")
    return manifest


def load_entrant(folder: Path, kind: Kind) -> Any:
    """Imports an entrant's code and builds it. Runs foreign code: use it in a sandbox or on your own folders.

    Raises:
        DataError: when the folder is in another layout or of another kind.
        EntrantError: when the factory builds something of another kind.
    """
    folder = folder.resolve()
    manifest = read_manifest(folder)
    if manifest.kind != kind:
        raise DataError(f"{MANIFEST}: expected an entrant of kind {kind!r}, got {manifest.kind!r}.")
    enter(folder)
    module_name, _, function = manifest.factory.partition(":")
    if not _holds_module(folder, module_name):
        raise DataError(f"{MANIFEST}: the factory's module {module_name!r} is not in the folder.")
    factory = getattr(import_from(folder, module_name), function, None)
    if not callable(factory):
        raise DataError(f"{MANIFEST}: the module {module_name!r} has no function {function!r}.")
    return as_kind(factory(**manifest.options), kind)


def enter(folder: Path) -> None:
    """Makes ``folder`` the one that code comes from; folders may name their modules alike, so others are forgotten."""
    _forget_others()
    _loaded.append(folder)


def import_from(folder: Path, module: str) -> Any:
    """Imports ``module`` with ``folder`` before all other places."""
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    return importlib.import_module(module)


def as_kind(built: Any, kind: Kind) -> Any:
    """Returns ``built`` when it is of ``kind``, and says what it is otherwise."""
    got = kind_of(built)
    if got != kind:
        raise EntrantError(f"The factory built a {got}, expected a {kind}.")
    return built


def _holds_module(folder: Path, module_name: str) -> bool:
    path = folder.joinpath(*module_name.split("."))
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


def _forget_others() -> None:
    for name, module in list(sys.modules.items()):
        spec = getattr(module, "__spec__", None)
        if not isinstance(spec, ModuleSpec):
            continue
        if any(_lies_in_one(place) for place in (spec.origin, *(spec.submodule_search_locations or ())) if place):
            del sys.modules[name]
    sys.path[:] = [entry for entry in sys.path if not _lies_in_one(entry)]
    _loaded.clear()


def _lies_in_one(place: str) -> bool:
    # An environment may lie below a folder; what is installed in it stays.
    path = Path(place)
    return "site-packages" not in path.parts and any(path == folder or folder in path.parents for folder in _loaded)
