"""A chat model on a problem set by the command line: killed, resumed, counted, estimated; its key in no file."""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[2] / "models" / "chat"))

from chat_server import ChatServer, Reply, chat_server, said

from pentathlon.cli.main import main
from pentathlon.events.judge.commands.cost import estimate
from pentathlon.events.judge.data.problem_sets import ProblemSet
from pentathlon.storage.video import write_mp4

SECRET = "sk-very-secret"
TASK = "judge/vista-virtual-home-heat-v1"
SENTENCES = {"label_0": "We heat the mug", "label_1": "We leave"}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ChatServer]:
    monkeypatch.setenv("PENTATHLON_API_KEY", SECRET)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with chat_server() as running:
        yield running


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    folder = tmp_path / "data/tasks/alfred/foundation/heat"
    folder.mkdir(parents=True)
    lines = "".join(f"  {label}: {text}\n" for label, text in SENTENCES.items())
    (folder / "mug.yaml").write_text(f"prompt_gpt: Describe.\nexample_gpt: Like this.\nlabel_prompts:\n{lines}")
    entries = []
    for number, label in enumerate(SENTENCES):
        frames = np.full((20, 32, 32, 3), 40 + 160 * number, np.uint8)
        write_mp4(tmp_path / f"data/videos/alfred/{label}.mp4", frames, fps=10)
        entries.append({"path": f"{label}.mp4", "label": label})
    (folder / "mug_data.json").write_text(json.dumps(entries))
    return tmp_path / "data"


def answer_by_turn(question: dict[str, Any]) -> Reply:
    """Describes, matches or scores, by what is asked; no two videos alike."""
    text = str(question["messages"][-1])
    if "Describe each frame separately" in text:
        return said(f"1. Something like {zlib.crc32(text.encode())}.")
    return said("- (label_0) 5\n- (label_1) 2" if "score the summaries" in text else "It matches.")


def run(dataset: Path, tmp_path: Path, server: ChatServer, *more: str) -> int:
    words = ["--vista", str(dataset), "-o", str(tmp_path / "runs"), "--api-base", server.api_base, "--workers", "1"]
    return main(["run", TASK, "-e", "chat:toy", *words, *more])


def test_a_limit_ends_a_run_and_a_higher_one_goes_on(
    dataset: Path, tmp_path: Path, server: ChatServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.choose = answer_by_turn
    prices = ["--price-in", "100", "--price-out", "100"]
    assert run(dataset, tmp_path, server, *prices, "--max-cost", "0.3") != 0
    asked = len(server.asked)
    assert asked == 3
    assert run(dataset, tmp_path, server, *prices, "--max-cost", "10") == 0
    assert len(server.asked) == 6
    assert "macro_f1" in capsys.readouterr().out
    (record,) = tmp_path.rglob("trials.jsonl")
    details = json.loads(record.read_text().splitlines()[-1])["details"]
    assert details["counts"]["refused"] == 0
    assert details["counts"]["tokens in"] == 6000
    assert len(details["remarks"]) == 2
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not any(SECRET.encode() in path.read_bytes() for path in files)


def test_refusals_are_counted_in_the_record(dataset: Path, tmp_path: Path, server: ChatServer) -> None:
    server.choose = lambda asked: said(None, refusal="no")
    assert run(dataset, tmp_path, server) == 0
    (record,) = tmp_path.rglob("trials.jsonl")
    details = json.loads(record.read_text().splitlines()[-1])["details"]
    assert details["counts"]["refused"] == 2
    np.testing.assert_allclose(details["scores"], np.full((2, 2), -0.1), atol=1e-7)


def test_the_estimate_counts_three_questions_a_video(
    coloured: ProblemSet, dataset: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    need = estimate(coloured)
    assert need.questions == 18
    assert need.tokens_in > 6 * 16 * 85
    assert main(["judge", "cost", TASK, "--vista", str(dataset), "--price-in", "2.5", "--price-out", "10"]) == 0
    assert "6 questions" in capsys.readouterr().out


def test_a_video_of_one_s_own_is_shown_to_a_chat_model(
    dataset: Path, tmp_path: Path, server: ChatServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.choose = answer_by_turn
    film = str(dataset / "videos/alfred/label_1.mp4")
    words = ["-e", "chat:toy", "--api-base", server.api_base, "-o", str(tmp_path / "runs")]
    assert main(["judge", film, *SENTENCES.values(), *words, "--price-in", "100", "--price-out", "100"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["5.0000", "2.0000"]
    assert lines[0].endswith(SENTENCES["label_0"])
    assert len(server.asked) == 3
    assert main(["judge", film, "Once more", "Or not", *words, "--price-in", "100", "--max-cost", "0.3"]) != 0
    assert "Expected to spend at most 0.3" in capsys.readouterr().err
