"""Tasks on the released dataset's layout, from a small copy of it written here, by the command line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from pentathlon.cli.main import main
from pentathlon.core import TASKS, UsageError
from pentathlon.core.errors import DataError
from pentathlon.events.judge.data.metadata import read_metadata
from pentathlon.events.judge.tasks import JudgeTask
from pentathlon.storage.video import write_mp4

SENTENCES = {"label_0": "We heat the mug", "label_1": "We go to the microwave and leave"}
HEADER = "video,level,description,environment,problem_set_type,problem_set\n"


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """One set of three videos in the virtual home, one of two labels in Minecraft, one template."""
    data = tmp_path / "data"
    write_set(data, "alfred/foundation/heat/mug", {"a": "label_0", "b": "label_1", "c": "label_1"})
    write_set(data, "minecraft/level_2/remix/both", {"d": "label_0, label_1", "e": "label_1"})
    (data / "tasks/alfred/foundation/heat/_template.yaml").write_text("{not yaml: [")
    row = f"alfred/foundation/heat/mug/a.mp4,1,{SENTENCES['label_0']},alfred,heat,tasks/alfred/foundation/heat/mug\n"
    (data / "metadata.csv").write_text(HEADER + row)
    return data


def write_set(data: Path, name: str, labels: dict[str, str]) -> None:
    path = data / "tasks" / f"{name}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("label_prompts:\n" + "".join(f"  {key}: {text}\n" for key, text in SENTENCES.items()))
    environment, _, rest = name.partition("/")
    entries = [{"path": f"{rest}/{video}.mp4", "label": label} for video, label in labels.items()]
    path.with_name(f"{path.stem}_data.json").write_text(json.dumps(entries))
    for video in labels:
        frames = np.random.default_rng(ord(video)).integers(0, 255, (6, 32, 32, 3), dtype=np.uint8)
        write_mp4(data / "videos" / environment / rest / f"{video}.mp4", frames, fps=10)


def test_a_run_on_the_dataset(dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--vista", str(dataset), "-o", str(tmp_path / "runs"), "--workers", "1"]
    assert main(["run", "judge/vista-virtual-home-heat-v1", "-e", "judge-oracle", *words]) == 0
    assert "macro_f1: 1.00" in capsys.readouterr().out
    assert main(["run", "judge/vista-minecraft-level-2-general-v1", "-e", "judge-oracle", *words]) == 0
    assert "macro_f1: 1.00" in capsys.readouterr().out


def test_videos_may_lie_elsewhere(dataset: Path) -> None:
    elsewhere = (dataset / "videos").rename(dataset.parent / "elsewhere")
    row = TASKS.get("judge/vista-virtual-home-heat-v1")
    task = row.make(vista=str(dataset), vista_videos=str(elsewhere))
    assert [heat.id for heat in task.heats()] == ["alfred/foundation/heat/mug"]


def test_without_the_folder_the_option_is_named() -> None:
    with pytest.raises(UsageError, match=r"Expected the folder of the ViSTa dataset .* Add: --vista DIR"):
        TASKS.get("judge/vista-virtual-home-heat-v1").make()


def test_what_is_broken_is_listed_and_left_out_only_when_told(
    dataset: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["judge", "dataset", str(dataset)]) == 0
    printed = capsys.readouterr().out
    assert "virtual home, level 1, heat: 1 problem set, 3 videos" in printed
    assert "metadata.csv: 1 row, 1 video" in printed
    (dataset / "videos/alfred/foundation/heat/mug/b.mp4").unlink()
    assert main(["judge", "dataset", str(dataset)]) == 1
    assert "mug_data.json: entry 1: no video foundation/heat/mug/b.mp4" in capsys.readouterr().out
    row = TASKS.get("judge/vista-virtual-home-heat-v1")
    with pytest.raises(DataError, match=r"(?s)1 broken entries.*--skip-broken"):
        row.make(vista=str(dataset))
    task = row.make(vista=str(dataset), skip_broken=True)
    assert isinstance(task, JudgeTask)
    (kept,) = task.problem_sets
    assert [clip.name for clip in kept.clips] == ["a.mp4", "c.mp4"]


def test_metadata_that_disagree_are_told(dataset: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (dataset / "metadata.csv").write_text(HEADER + "x.mp4,1,We dance,alfred,heat,tasks/alfred/foundation/heat/mug\n")
    assert main(["judge", "dataset", str(dataset)]) == 1
    assert "x.mp4: its description is none of alfred/foundation/heat/mug" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (HEADER.replace("problem_set\n", "problem_set_id\n"), "Expected the column 'problem_set'"),
        (HEADER + "x.mp4,one,We dance,alfred,heat,mug\n", "Expected a number as level in line 2"),
    ],
)
def test_malformed_metadata_are_named(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "metadata.csv"
    path.write_text(text)
    with pytest.raises(DataError, match=complaint):
        read_metadata(path)


def test_the_table_has_the_dataset_s_groups() -> None:
    names = {row.id for row in TASKS.rows() if row.needs and row.id.startswith("judge/")}
    assert "judge/vista-real-world-object-tracking-v1" in names
    assert "judge/vista-minecraft-level-1-v1" in names
    assert "judge/vista-real-world-level-8-permutation-v1" in names
    assert "judge/vista-real-world-level-6-permutation-v1" not in names
    assert len(names) == 24 + 24 + 5
