"""What the docs point at is there: links, files named in code spans, and modules to be run."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/**/*.md"))]
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)")
FILE = re.compile(r"`([\w.]+(?:/[\w.-]+)*/?[\w-]+\.py)\b[^`]*`")
MODULE = re.compile(r"python -m (pentathlon(?:\.\w+)*)")


def names(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=names)
def test_links_lead_somewhere(page: Path) -> None:
    missing = [link for link in LINK.findall(page.read_text()) if not (page.parent / link).exists()]
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=names)
def test_files_that_are_named_exist(page: Path) -> None:
    known = [path.relative_to(ROOT).as_posix() for path in ROOT.glob("*/**/*.py") if ".venv" not in path.parts]
    named = {name for name in FILE.findall(page.read_text()) if "/" in name}
    assert sorted(name for name in named if not any(f"/{path}".endswith(f"/{name}") for path in known)) == []


@pytest.mark.parametrize("page", PAGES, ids=names)
def test_modules_that_are_run_exist(page: Path) -> None:
    modules = set(MODULE.findall(page.read_text()))
    assert sorted(module for module in modules if importlib.util.find_spec(module) is None) == []


def test_every_page_can_be_reached_from_the_index() -> None:
    seen, waiting = set(), [ROOT / "README.md", ROOT / "docs" / "README.md"]
    while waiting:
        page = waiting.pop().resolve()
        if page not in seen and page.suffix == ".md" and page.exists():
            seen.add(page)
            waiting += [page.parent / link for link in LINK.findall(page.read_text())]
    assert sorted(names(page) for page in PAGES if page.resolve() not in seen) == []
