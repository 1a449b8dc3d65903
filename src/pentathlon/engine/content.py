"""What an entrant is made of: hashes of its code and of its weights, so that an edited model is another entrant."""

from __future__ import annotations

import ast
import hashlib
import importlib
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.machinery import ModuleSpec
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path

from pentathlon.core.registry import EntrantEntry
from pentathlon.storage.files import file_digest

_OWN_PACKAGE = "pentathlon"
_INSTALLED = frozenset({"site-packages", "dist-packages"})
_DIGITS = 16


def entrant_content(entrant: EntrantEntry) -> dict[str, str]:
    """Hashes what ``entrant`` is made of, by name: code, weights, and versions of installed packages.

    Code is the factory's module and the modules beside it that it imports, from the same folder or package. Weights
    are the files and folders that the entry names.
    """
    with entrant.finding():
        code = entrant_code(entrant.factory)
    return {**code, **_weights(entrant)}


def entrant_code(factory: str) -> dict[str, str]:
    """Hashes the modules behind ``module:factory`` without importing them; of an installed package, its version."""
    importlib.invalidate_caches()
    name = factory.partition(":")[0]
    top = name.partition(".")[0]
    spec = _find(name)
    if spec is None:
        return {}
    root = _root(top)
    if top == _OWN_PACKAGE or root is None or _INSTALLED & set(root.parts):
        return _version(top)
    files = _closure(name, root)
    return {path.relative_to(root).as_posix(): _hash_file(path) for path in sorted(files)}


def is_told(entrant: EntrantEntry, content: Mapping[str, str]) -> bool:
    """Whether its content alone tells what the entrant is: no code lies open to edits, and its weights are files."""
    hashed = all(path.exists() for path in _named_weights(entrant))
    return hashed and not any(name.endswith(".py") for name in content)


def _closure(name: str, root: Path) -> set[Path]:
    """Finds the files below ``root`` of a module and of all that it imports, directly or not."""
    files: set[Path] = set()
    waiting, seen = [name], {name}
    while waiting:
        module = waiting.pop()
        path = _file_beside(module, root)
        if path is None:
            continue
        files.add(path)
        new = {*_parents(module), *_imports(module, path)} - seen
        waiting += sorted(new)
        seen |= new
    return files


def _parents(module: str) -> Iterator[str]:
    while "." in module:
        module = module.rpartition(".")[0]
        yield module


def _imports(module: str, path: Path) -> Iterator[str]:
    if path.suffix != ".py":
        return
    try:
        tree = ast.parse(path.read_bytes())
    except SyntaxError:
        return
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            source = _absolute(node, package)
            yield source
            yield from (f"{source}.{alias.name}" for alias in node.names)


def _absolute(node: ast.ImportFrom, package: str) -> str:
    if node.level == 0:
        return node.module or ""
    base = package.split(".")[: len(package.split(".")) - node.level + 1]
    return ".".join([*base, *(node.module or "").split(".")]).strip(".")


def _file_beside(module: str, root: Path) -> Path | None:
    """The file of a module if it lies below ``root``, is not installed and not of this package."""
    if not module or module.partition(".")[0] == _OWN_PACKAGE:
        return None
    spec = _find(module)
    if spec is None or not spec.has_location or spec.origin is None:
        return None
    path = Path(spec.origin).resolve()
    return path if path.is_relative_to(root) and not _INSTALLED & set(path.parts) else None


def _root(top: str) -> Path | None:
    """The folder that holds the top module or package."""
    spec = _find(top)
    if spec is None:
        return None
    if spec.submodule_search_locations:
        return Path(next(iter(spec.submodule_search_locations))).resolve().parent
    return Path(spec.origin).resolve().parent if spec.has_location and spec.origin else None


def _find(name: str) -> ModuleSpec | None:
    """Finds a module without running code, as importing its parents would."""
    places: list[str] | None = None
    spec: ModuleSpec | None = None
    parts = name.split(".")
    for count in range(1, len(parts) + 1):
        if count > 1 and not places:
            return None
        spec = _find_in(".".join(parts[:count]), places)
        if spec is None:
            return None
        places = list(spec.submodule_search_locations or ())
    return spec


def _find_in(name: str, places: list[str] | None) -> ModuleSpec | None:
    for finder in sys.meta_path:
        find = getattr(finder, "find_spec", None)
        spec: ModuleSpec | None = find(name, places) if find else None
        if spec is not None:
            return spec
    return None


def _version(package: str) -> dict[str, str]:
    names = [_OWN_PACKAGE] if package == _OWN_PACKAGE else packages_distributions().get(package, [])
    try:
        return {name: version(name) for name in names}
    except PackageNotFoundError:
        return {}


def _weights(entrant: EntrantEntry) -> dict[str, str]:
    paths = [*map(Path, entrant.files), *_named_weights(entrant)]
    return {f"@{path.name}": _hash_path(path.resolve()) for path in paths if path.exists()}


def _named_weights(entrant: EntrantEntry) -> list[Path]:
    """The weights that a user named, as a path; no words are none, not the present folder."""
    reference = str(entrant.options.get("weights") or "")
    return [Path(reference).expanduser()] if reference else []


def _hash_path(path: Path) -> str:
    if path.is_file():
        return _hash_file(path)
    digest = hashlib.sha256()
    for file in sorted(path.rglob("*")):
        inside = file.relative_to(path)
        if file.is_file() and not any(part.startswith(".") or part == "__pycache__" for part in inside.parts):
            digest.update(f"{inside.as_posix()} {_hash_file(file)}\n".encode())
    return digest.hexdigest()[:_DIGITS]


def _hash_file(path: Path) -> str:
    stat = path.stat()
    return _hash_unchanged(path, stat.st_size, stat.st_mtime_ns, stat.st_ino)


@lru_cache(maxsize=4096)
def _hash_unchanged(path: Path, size: int, changed_ns: int, inode: int) -> str:
    """Hashes a file once per process: large weights are entered in many tasks."""
    return file_digest(path)[:_DIGITS]
