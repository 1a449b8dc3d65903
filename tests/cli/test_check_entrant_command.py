"""``pentathlon check-entrant`` on agents that pass, dawdle, waver and fail."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from pentathlon.cli import main

AGENT = """
import time
import numpy as np
from pentathlon.worlds.tabletop.arm.robot import interaction

class Agent:
    spec = interaction(120, 160)
    def __init__(self, kind="good"):
        self.kind, self.rng = kind, np.random.default_rng(0)
    def reset(self):
        print("a new episode")
    def predict(self, observation):
        joints = observation["joints"]
        if self.kind == "slow":
            time.sleep(0.05)
        if self.kind == "wavering":
            return joints + self.rng.normal(0, 0.01, 7)
        if self.kind == "out of reach":
            return joints + 10
        if self.kind == "crashing":
            raise RuntimeError("no weights")
        if self.kind == "chunked":
            return np.stack([joints] * 50)
        return joints
"""

needs_sandbox = pytest.mark.sandbox


def write_agent(folder: Path, **options: Any) -> Path:
    folder.mkdir()
    (folder / "agent.py").write_text(AGENT)
    manifest = {"format": "pentathlon-entrant-v1", "kind": "policy", "factory": "agent:Agent", "options": options}
    (folder / "entrant.json").write_text(json.dumps(manifest))
    return folder


def verdicts(text: str) -> dict[str, str]:
    lines = [line for line in text.splitlines() if line[:4] in ("pass", "warn", "fail")]
    return {line[6:26].strip(): line[:4] for line in lines}


@needs_sandbox
@pytest.mark.parametrize(
    ("kind", "status", "check", "verdict", "words"),
    [
        ("good", 0, "repeats itself", "pass", "10 answers of one action"),
        ("chunked", 0, "keeps up", "pass", "1667 ms pass until the next answer is needed"),
        ("slow", 0, "keeps up", "warn", "a real one jerks"),
        ("wavering", 0, "repeats itself", "warn", "trials cannot be repeated exactly"),
        ("out of reach", 1, "ends in good order", "fail", "Expected a joint target within"),
        (
            "crashing",
            1,
            "ends in good order",
            "fail",
            "crashed: The entrant failed in predict: RuntimeError: no weights",
        ),
    ],
)
def test_agents_are_told_what_is_found(
    kind: str,
    status: int,
    check: str,
    verdict: str,
    words: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = write_agent(tmp_path / "agent", kind=kind)
    assert (
        main(["check-entrant", str(folder), "--task", "act/pour-sprint-v1", "--steps", "10", "--no-episode"]) == status
    )
    printed = capsys.readouterr().out
    assert verdicts(printed)[check] == verdict
    assert words in printed
    if kind == "good":
        # On a busy machine even this one may be late.
        assert {found for name, found in verdicts(printed).items() if name != "keeps up"} == {"pass"}
        assert "peak" in printed
    if kind == "crashing":
        assert "Traceback (most recent call last):" in printed


@needs_sandbox
def test_an_archive_is_checked_as_it_would_be_uploaded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_agent(tmp_path / "agent")
    archive = tmp_path / "agent.zip"
    with zipfile.ZipFile(archive, "w") as zipped:
        for file in folder.iterdir():
            zipped.write(file, f"my-agent/{file.name}")
    log = tmp_path / "log.txt"
    words = [
        "check-entrant",
        str(archive),
        "--task",
        "act/pour-sprint-v1",
        "--steps",
        "3",
        "--no-episode",
        "--log",
        str(log),
    ]
    assert main(words) == 0
    assert log.read_text().count("a new episode") == 2
    assert "can be submitted" in capsys.readouterr().out


def test_without_the_sandbox_it_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_agent(tmp_path / "agent")
    assert (
        main(
            [
                "check-entrant",
                str(folder),
                "--task",
                "act/pour-sprint-v1",
                "--steps",
                "3",
                "--no-episode",
                "--no-sandbox",
            ]
        )
        == 0
    )
    printed = " ".join(capsys.readouterr().out.split())
    assert "not measured without the sandbox" in printed
    assert "it was not tested whether it does inside" in printed


def test_a_missing_folder_is_bad_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-entrant", str(tmp_path / "nowhere")]) == 2
    assert "There is no" in capsys.readouterr().err
