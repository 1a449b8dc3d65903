"""Agent folders: ``agent.json`` with code and weights beside it, or a folder in TOTO's own layout."""

from __future__ import annotations

import importlib
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import msgspec

from pentathlon.core.entrants import Policy, kind_of
from pentathlon.core.errors import DataError, EntrantError

FORMAT = "pentathlon-agent-v1"
MANIFEST = "agent.json"
TOTO_CONFIG = "hydra.yaml"
MAX_MANIFEST_BYTES = 64 * 1024

_loaded: list[Path] = []


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What ``agent.json`` says.

    Attributes:
        format: always :data:`FORMAT`.
        factory: ``module:function`` in the folder; called with ``options`` it returns a policy.
        options: plain JSON values, passed as keyword arguments.
        name: what people call the agent.
    """

    format: str
    factory: str
    options: dict[str, Any] = {}
    name: str = ""


def read_manifest(folder: Path) -> Manifest:
    """Reads and checks ``agent.json``.

    Raises:
        DataError: naming the field that is wrong.
    """
    file = folder / MANIFEST
    if file.stat().st_size > MAX_MANIFEST_BYTES:
        raise DataError(
            f"{MANIFEST} is longer than {MAX_MANIFEST_BYTES // 1024} KiB. Keep weights in files of their own."
        )
    try:
        manifest = msgspec.json.decode(file.read_bytes(), type=Manifest)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        example = '{"format": "pentathlon-agent-v1", "factory": "agent:make"}'
        raise DataError(f"{MANIFEST} is malformed: {error}. Expected something like {example}.") from error
    if manifest.format != FORMAT:
        raise DataError(f"{MANIFEST}: expected the format {FORMAT!r}, got {manifest.format!r}.")
    module, colon, function = manifest.factory.partition(":")
    if not (colon and function.isidentifier() and all(part.isidentifier() for part in module.split("."))):
        raise DataError(f"{MANIFEST}: expected a factory like 'module:function', got {manifest.factory!r}.")
    return manifest


def load_policy(folder: Path) -> Policy:
    """Imports the agent's code and builds its policy. Runs foreign code: use it in a sandbox or on your own agents.

    Agents are free to name their modules alike, so the modules of one loaded before are forgotten.

    Raises:
        DataError: when the folder is in neither layout.
        EntrantError: when the factory builds something else than a policy.
    """
    folder = folder.resolve()
    if not (folder / MANIFEST).is_file() and not (folder / TOTO_CONFIG).is_file():
        raise DataError(
            f"{folder.name} is no agent folder: expected {MANIFEST} (format {FORMAT}) or TOTO's {TOTO_CONFIG} in it."
        )
    _forget_agents()
    _loaded.append(folder)
    if (folder / MANIFEST).is_file():
        return _load_ours(folder, read_manifest(folder))
    from pentathlon.events.act.policies.toto import load_toto_policy

    return load_toto_policy(folder)


def import_from(folder: Path, module: str) -> Any:
    """Imports ``module`` with ``folder`` before all other places."""
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    return importlib.import_module(module)


def _load_ours(folder: Path, manifest: Manifest) -> Policy:
    module_name, _, function = manifest.factory.partition(":")
    if not _holds_module(folder, module_name):
        raise DataError(f"{MANIFEST}: the factory's module {module_name!r} is not in the folder.")
    factory = getattr(import_from(folder, module_name), function, None)
    if not callable(factory):
        raise DataError(f"{MANIFEST}: the module {module_name!r} has no function {function!r}.")
    return as_policy(factory(**manifest.options))


def as_policy(built: Any) -> Policy:
    """Returns ``built`` when it is a policy, and says what is missing otherwise."""
    kind = kind_of(built)
    if kind != "policy":
        raise EntrantError(f"The factory built a {kind}, expected a policy with .spec, .reset and .predict.")
    policy: Policy = built
    return policy


def _holds_module(folder: Path, module_name: str) -> bool:
    path = folder.joinpath(*module_name.split("."))
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


def _forget_agents() -> None:
    for name, module in list(sys.modules.items()):
        spec = getattr(module, "__spec__", None)
        if not isinstance(spec, ModuleSpec):
            continue
        if any(_lies_in_agent(place) for place in (spec.origin, *(spec.submodule_search_locations or ())) if place):
            del sys.modules[name]
    sys.path[:] = [entry for entry in sys.path if not _lies_in_agent(entry)]
    _loaded.clear()


def _lies_in_agent(place: str) -> bool:
    # An environment may lie below an agent's folder; what is installed in it stays.
    path = Path(place)
    return "site-packages" not in path.parts and any(path == folder or folder in path.parents for folder in _loaded)
