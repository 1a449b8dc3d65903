"""Pages of single videos: in the report, with frames, every description, its scores and the judge's own words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from pentathlon.core import EntrantEntry, JudgeSpec, Workspace
from pentathlon.engine import RunFolder, RunInfo, RunSummary, list_runs
from pentathlon.events.judge.data.problem_sets import ProblemSet
from pentathlon.events.judge.pages import CHOSEN, TRUE, video_pages
from pentathlon.events.judge.protocol import make_protocol
from pentathlon.events.judge.tasks import JudgeTask
from pentathlon.report import build_site

HOSTILE = "<b>it was blue</b>"


class BlueJudge:
    """Says blue of everything, most loudly of what is blue."""

    spec = JudgeSpec(frames=4)

    def __init__(self) -> None:
        self.remarks = {"said": HOSTILE}

    def score(self, clip: np.ndarray, descriptions: list[str]) -> np.ndarray:
        return np.array([float(clip.mean()) * ("blue" in text) for text in descriptions])


def test_every_video_has_a_page(coloured: ProblemSet, tmp_path: Path) -> None:
    task = JudgeTask(make_protocol("virtual-home-colours", "full", "match", [coloured]), [coloured])
    info = RunInfo.describe(task, EntrantEntry("blue", "judge", "", "here:BlueJudge"))
    path = tmp_path / "runs" / info.location
    with RunFolder.create_or_open(path, info) as folder:
        outcomes = list(task.run(task.heats()[0], BlueJudge(), Workspace(path)))
        journal = folder.journal()
        journal.append(outcomes)
        journal.commit()
        journal.close()
        folder.write_summary(RunSummary(task.id, "blue", 1, 1, 0, task.scores(outcomes), 1.0, True))
    front = build_site(list_runs(tmp_path / "runs"), (), tmp_path / "runs" / "report").front
    pages = sorted(front.parent.glob("run/*/video-0-*.html"))
    assert len(pages) == len(coloured.clips)
    text = pages[0].read_text()
    for sentence in coloured.descriptions.values():
        assert sentence in text
    assert HOSTILE not in text
    assert "it was blue" in text
    picture = text.partition('<img src="')[2].partition('"')[0]
    assert (pages[0].parent / picture).resolve().is_file()
    assert 'href="video-0-1.html"' in text
    listed = next(front.parent.glob("run/*/0.js")).read_text()
    assert "video-0-5.html" in listed


def test_a_page_tells_what_is_true_and_what_was_chosen(coloured: ProblemSet, tmp_path: Path) -> None:
    task = JudgeTask(make_protocol("virtual-home-colours", "full", "match", [coloured]), [coloured])
    (outcome,) = task.run(task.heats()[0], BlueJudge(), Workspace(tmp_path, videos=False))
    first = video_pages(outcome)[0]
    verdicts = {cells[0].split()[-1]: (cells[-1], right) for cells, right in first.rows}
    assert verdicts["red"][1] is (verdicts["red"][0] not in (TRUE, CHOSEN))
    assert first.artifact == ""
    assert first.words == {"said": HOSTILE}
    assert video_pages(replace(outcome, status="error")) == []
