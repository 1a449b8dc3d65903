"""What some tests need of the machine: a sandbox, a browser, a database. Without it they are skipped, and told of.

``PENTATHLON_TESTS_NEED`` names those whose absence is a failure instead, such as ``sandbox,browser,postgresql``.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# What tests of several folders share lies here, the database of the tests beside those of the server.
sys.path += [str(Path(__file__).parent), str(Path(__file__).parent / "server")]

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
BROWSER_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
INSTALL = "as root, make test installs it; otherwise: apt install"


@cache
def _sandbox_problem() -> str | None:
    from pentathlon.server.sandbox import sandbox_problem

    return sandbox_problem()


@cache
def _browser_problem() -> str | None:
    if CHROMIUM is None:
        return f"Chromium is not installed ({INSTALL} chromium)"
    return None if importlib.util.find_spec("playwright") else "playwright is not installed (pip install playwright)"


@cache
def _postgresql_problem() -> str | None:
    from postgresql_cluster import postgresql_problem

    problem = postgresql_problem()
    return problem and f"{problem} ({INSTALL} postgresql)"


NEEDS: dict[str, Callable[[], str | None]] = {
    "sandbox": _sandbox_problem,
    "browser": _browser_problem,
    "postgresql": _postgresql_problem,
}


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The paths that are synced, in order."""
    paths: list[Path] = []
    sync = os.fsync

    def watched(descriptor: int) -> None:
        paths.append(Path(os.readlink(f"/proc/self/fd/{descriptor}")))
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", watched)
    return paths


@pytest.fixture(scope="session")
def chromium() -> str | None:
    """The browser's program."""
    return CHROMIUM


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    """The browser, started."""
    from playwright import sync_api as playwright

    with playwright.sync_playwright() as driver:
        launched = driver.chromium.launch(executable_path=chromium, args=BROWSER_FLAGS)
        yield launched
        launched.close()


def pytest_configure(config: pytest.Config) -> None:
    """Declares the markers, one for each need."""
    for name in NEEDS:
        config.addinivalue_line("markers", f"{name}: needs a working {name}; skipped where there is none")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks tests that take the database, so that their fixtures need not skip by themselves."""
    for item in items:
        given = item.callspec.params if hasattr(item, "callspec") else {}
        chosen = any(isinstance(value, str) and value == "postgresql" for value in given.values())
        if chosen or "postgresql" in getattr(item, "fixturenames", ()):
            item.add_marker("postgresql")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skips a test whose need is not met, or fails it where the need is declared as certain."""
    # A command that ran in this process hides the folders of scripts from the processes started after it.
    os.environ.pop("PYTHONSAFEPATH", None)
    certain = os.environ.get("PENTATHLON_TESTS_NEED", "").replace(",", " ").split()
    for name, problem in NEEDS.items():
        why = problem() if item.get_closest_marker(name) else None
        if why and name in certain:
            pytest.fail(f"PENTATHLON_TESTS_NEED names {name}, but: {why}", pytrace=False)
        if why:
            pytest.skip(why)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says in one line per reason how many tests were skipped."""
    reasons = Counter(_reason(report) for report in terminalreporter.stats.get("skipped", []))
    for reason, count in reasons.most_common():
        terminalreporter.write_line(f"skipped {count}: {reason}")


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return text.removeprefix("Skipped: ")
