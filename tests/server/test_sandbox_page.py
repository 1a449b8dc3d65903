"""Every sentence of docs/act-sandbox.md names the tests that fail when it is not true; its numbers are the code's."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import get_args

from hostile_agents import AGENTS, BLOCKED, SUITE
from hostile_archives import HOSTILE_ARCHIVES

from pentathlon.models.remote.checks import IMAGES_AT_ONCE
from pentathlon.server.sandbox import Limits, syscalls
from pentathlon.server.sandbox.limits import State
from pentathlon.server.sandbox.sandbox_messages import MAX_REPLY_BYTES
from pentathlon.server.sandbox.unpacking.unpack import MEMORY_BYTES
from pentathlon.server.settings import ServerSettings
from pentathlon.server.sizes import GIBIBYTE, MEBIBYTE

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "act-sandbox.md").read_text()
# What nobody promises needs no test; what was measured names its command.
EXEMPT = "## What is not protected"
EVIDENCE = re.compile(r"`test_\w+`|`python [\w/. -]+`")
HELPERS = {"honest", "sleeper"}


def claims() -> list[str]:
    """The lines that say something: sentences, items of lists and rows of tables."""
    sections = re.split(r"^(?=## )", re.sub(r"```.*?```", "", PAGE, flags=re.DOTALL), flags=re.MULTILINE)
    lines = [line for section in sections if not section.startswith(EXEMPT) for line in section.splitlines()]
    heads = {row for row, ruler in pairwise(lines) if re.fullmatch(r"\|[-|]+\|", ruler)}
    return [line for line in lines if line and line not in heads and not re.match(r"#|\|[-|]+\|$", line)]


def test_every_sentence_names_its_tests() -> None:
    assert len(claims()) > 100
    assert [line for line in claims() if not EVIDENCE.search(line)] == []


def test_no_line_holds_two_sentences() -> None:
    """Or the tests at its end might be those of the second alone."""
    prose = [re.sub(r"`[^`]*`|\([^)]*\)", "x", line) for line in claims() if not line.startswith("|")]
    assert [line for line in prose if len(re.findall(r"[.!?](?=\s+(?:[A-Z]|x\b))", line)) > 0] == []


def test_the_tests_that_are_named_are_there() -> None:
    there = {
        name for file in ROOT.glob("tests/**/test_*.py") for name in re.findall(r"def (test_\w+)", file.read_text())
    }
    assert set(re.findall(r"`(test_\w+)`", PAGE)) - there == set()


def said(pattern: str) -> tuple[str, ...]:
    """The groups of the one place of the page that reads so."""
    (found,) = re.finditer(pattern, PAGE)
    return tuple(group.replace(",", "") for group in found.groups())


def test_states_and_limits_are_those_of_the_page(tmp_path: Path) -> None:
    (line,) = (line for line in PAGE.splitlines() if line.startswith("Every failure is a `SandboxError`"))
    assert set(re.findall(r"`(\w+)`", line.partition("one of")[2].partition("[")[0])) == set(get_args(State))
    limits = Limits()
    rows = dict(re.findall(r"^\| `([a-z_]+)` \| ([^|]+) \|", PAGE, re.MULTILINE))
    assert set(rows) == set(Limits.__dataclass_fields__)
    units = {"GiB": GIBIBYTE, "MiB": MEBIBYTE}
    for name, text in rows.items():
        number, unit = re.match(r"([\d,]+) ?(\w*)", text).groups()  # type: ignore[union-attr]
        assert int(number.replace(",", "")) * units.get(unit, 1) == getattr(limits, name), name
    assert ServerSettings(tmp_path).limits == limits


def test_numbers_are_those_of_the_page() -> None:
    agents = {file.stem for file in AGENTS.glob("*.py")} - HELPERS
    assert said(r"holds (\d+) hostile agents") == (str(len(agents)),)
    assert said(r"The (\d+) agents make (\d+) attacks") == (str(len(agents)), str(len(SUITE)))
    assert [hostile.can_sleep for hostile in SUITE.values()].count(False) == 1
    assert said(r"are the (\d+) agents whose attack") == (str(len(BLOCKED)),)
    assert said(r"(\d+) hostile archives \(`") == (str(len(HOSTILE_ARCHIVES)),)
    assert said(r"a list of the (\d+) system calls") == (str(len(syscalls.ALLOWED)),)
    assert (len(syscalls._IOCTLS), "nine requests of `ioctl`" in PAGE) == (9, True)
    assert said(r"replies are at most (\d) MiB") == (str(MAX_REPLY_BYTES // MEBIBYTE),)
    assert said(r"It has (\d+) MiB of memory") == (str(MEMORY_BYTES // MEBIBYTE),)
    assert said(r"encoding of at most (\d) pictures") == (str(IMAGES_AT_ONCE),)
