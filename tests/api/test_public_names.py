"""What is public: every package says it in ``__all__``, the API page lists it, and importing it costs nothing."""

from __future__ import annotations

import ast
import importlib
import inspect
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pentathlon

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"
PACKAGES = sorted(SOURCE.glob("pentathlon/**/__init__.py"))


def name_of(path: Path) -> str:
    return ".".join(path.parent.relative_to(SOURCE).parts)


def exporting() -> list[Path]:
    """Packages whose ``__init__`` takes names from modules of this project."""
    found = []
    for path in PACKAGES:
        nodes = ast.walk(ast.parse(path.read_text()))
        if any(isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pentathlon") for node in nodes):
            found.append(path)
    return found


@pytest.mark.parametrize("path", exporting(), ids=name_of)
def test_a_package_that_exports_says_what(path: Path) -> None:
    package = importlib.import_module(name_of(path))
    names = package.__all__
    assert len(set(names)) == len(names)
    for name in names:
        member = getattr(package, name)
        if inspect.isclass(member) or inspect.isfunction(member):
            assert inspect.getdoc(member), f"{name_of(path)}.{name} has no docstring"


def test_importing_the_package_is_light() -> None:
    code = "import sys; old = set(sys.modules); import pentathlon; dir(pentathlon); print(*set(sys.modules) - old)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert {name.partition(".")[0] for name in loaded.split()} - sys.stdlib_module_names == {"pentathlon"}
    heavy = {"torch", "mujoco", "pandas", "ray", "transformers", "numba"}
    code = f"import sys, pentathlon; pentathlon.evaluate, pentathlon.tasks(); print({heavy} & set(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert loaded.strip() == "set()"


def test_unknown_names_are_refused() -> None:
    with pytest.raises(AttributeError, match="module 'pentathlon' has no attribute 'evalute'"):
        _ = pentathlon.evalute  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", pentathlon.__all__)
def test_the_page_lists_every_name_with_its_signature(name: str) -> None:
    page = " ".join((ROOT / "docs" / "api.md").read_text().split()).replace("( ", "(").replace(", )", ")")
    member = getattr(pentathlon, name)
    if inspect.isfunction(member):
        assert f"{name}{signature_text(member)}" in page
    else:
        assert f"`{name}`" in page or f"`pentathlon.{name}`" in page


def _plain(default: Any) -> Any:
    return str(default) if isinstance(default, Path) else default


def signature_text(function: Callable[..., Any]) -> str:
    """The signature as the page writes it: types and defaults as in the code."""
    signature = inspect.signature(function)
    words: list[str] = []
    for one in signature.parameters.values():
        if one.kind is one.KEYWORD_ONLY and "*" not in words:
            words.append("*")
        stars = "**" if one.kind is one.VAR_KEYWORD else ""
        default = "" if one.default is one.empty else f" = {_plain(one.default)!r}"
        words.append(f"{stars}{one.name}: {one.annotation}{default}")
    return f"({', '.join(words)}) -> {signature.return_annotation}"


@pytest.mark.parametrize("name", [name for name in vars(pentathlon.Evaluation) if not name.startswith("_")])
def test_the_page_lists_every_part_of_an_evaluation(name: str) -> None:
    assert f"`{name}" in (ROOT / "docs" / "api.md").read_text()
