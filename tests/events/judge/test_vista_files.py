"""ViSTa's files as released, whole and broken, written here in their layout."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pentathlon.core.errors import DataError
from pentathlon.events.judge.data.vista import read_vista

PROMPTS = {"label_0": "We pick up a mug", "label_1": "We put down a mug"}


def write_set(root: Path, name: str, text: str | None = None, entries: Any = None, prompts: Any = PROMPTS) -> Path:
    path = root / "tasks" / f"{name}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = "".join(f"  {label}: {sentence}\n" for label, sentence in prompts.items())
    path.write_text(f"prompt_gpt: Describe.\nlabel_prompts:\n{lines}" if text is None else text)
    if entries is not None:
        path.with_name(f"{path.stem}_data.json").write_text(json.dumps(entries))
    return path


def write_video(root: Path, name: str) -> None:
    path = root / "videos" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"a video")


def read(root: Path) -> Any:
    return read_vista(root / "tasks", root / "videos")


def test_both_conventions_of_paths(tmp_path: Path) -> None:
    write_video(tmp_path, "alfred/foundation/heat/mug/a.mp4")
    write_video(tmp_path, "minecraft/multistep/b.mp4")
    write_set(
        tmp_path, "alfred/foundation/heat/mug", entries=[{"path": "foundation/heat/mug/a.mp4", "label": "label_1"}]
    )
    entries = [{"path": "videos/minecraft/multistep/b.mp4", "label": "label_0, label_1"}]
    write_set(tmp_path, "minecraft/level_2/remix/both", entries=entries)
    heat, both = read(tmp_path).problem_sets
    assert (heat.id, heat.environment, heat.level, heat.theme) == (
        "alfred/foundation/heat/mug",
        "virtual home",
        1,
        "actions",
    )
    assert heat.descriptions == PROMPTS
    assert heat.clips[0].labels == ("label_1",)
    assert not heat.multi_label
    assert (both.environment, both.level, both.theme) == ("minecraft", 2, "general")
    assert both.clips[0].labels == ("label_0", "label_1")
    assert both.multi_label


def test_templates_are_left_out(tmp_path: Path) -> None:
    write_video(tmp_path, "alfred/a.mp4")
    write_set(tmp_path, "alfred/level_3/permutation/x", entries=[{"path": "a.mp4", "label": "label_0"}])
    write_set(tmp_path, "alfred/level_3/permutation/_template", text="{not yaml: [")
    found = read(tmp_path)
    assert [one.id for one in found.problem_sets] == ["alfred/level_3/permutation/x"]
    assert found.faults == ()


@pytest.mark.parametrize(
    ("text", "entries", "complaint"),
    [
        ("label_prompts: [", [], "no valid YAML"),
        ("label_prompts:\n  a: x\n  a: y\n  b: z\n", [], "the key 'a' is given twice"),
        ("prompt_gpt: hello\n", [], "at least two labels"),
        ("label_prompts:\n  a: x\n  b:\n", [], "the label 'b' has no sentence"),
        (None, None, "its list of videos is missing"),
        (None, {"path": "a.mp4"}, "expected a list of videos, got dict"),
        (None, [{"path": "a.mp4", "label": "label_7"}], "entry 0: unknown label 'label_7' of a.mp4"),
        (None, [{"path": "gone.mp4", "label": "label_0"}], "entry 0: no video gone.mp4"),
        (None, [{"label": "label_0"}], "entry 0: expected a path and a label"),
    ],
)
def test_broken_entries_are_named_with_their_file(tmp_path: Path, text: Any, entries: Any, complaint: str) -> None:
    write_video(tmp_path, "alfred/a.mp4")
    write_set(tmp_path, "alfred/level_2/remix/good", entries=[{"path": "a.mp4", "label": "label_0"}])
    write_set(tmp_path, "alfred/level_2/remix/bad", text=text, entries=entries)
    found = read(tmp_path)
    assert [one.id for one in found.problem_sets] == ["alfred/level_2/remix/good"]
    assert complaint in str(found.faults[0])
    assert "remix/bad" in str(found.faults[0])
    with pytest.raises(DataError, match=r"broken entries:(.|\n)*remix/bad(.|\n)*--skip-broken"):
        found.require_whole()


def test_a_folder_without_tasks_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"Expected ViSTa's task files .* got none"):
        read_vista(tmp_path, tmp_path)
