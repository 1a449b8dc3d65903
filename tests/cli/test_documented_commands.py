"""Every command line in the README, the docs and the examples parses."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from pentathlon.cli.main import parse

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md")), *sorted(ROOT.glob("examples/**/*.py"))]
# In a span of code, or at the start of a line of a block.
COMMAND = re.compile(r"`(pentathlon [^`]+)`|^[ ]*(?:\$ )?(pentathlon [^`\n]+)$", re.MULTILINE)
REMARK = re.compile(r"\s+#|\s{3,}")
LEFT_OUT = re.compile(r"…|\.\.\.|\|")


def documented() -> list[str]:
    found = set()
    for page in PAGES:
        for span, line in COMMAND.findall(re.sub(r"\\\n\s*", " ", page.read_text())):
            words = re.sub(r"\s+", " ", REMARK.split(span or line)[0])
            # Two words name a command, and what is left out cannot be parsed.
            if len(words.split()) > 2 and not LEFT_OUT.search(words):
                found.add(words.removeprefix("pentathlon "))
    return sorted(found)


def test_the_docs_hold_commands() -> None:
    assert len(documented()) > 40


@pytest.mark.parametrize("line", documented())
def test_it_parses(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        parse(shlex.split(line))
    except SystemExit:
        pytest.fail(f"pentathlon {line}\n{capsys.readouterr().err}")
