"""An edited model is another entrant: its code, weights and fingerprint name the run."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pentathlon.core import EntrantEntry, EntrantError, Outcome, TaskEntry
from pentathlon.engine import RunFolder, RunRequest, list_runs, run
from pentathlon.engine.content import entrant_code, entrant_content, is_told

MODEL = """
from helpers_of_mine import threshold
from toy_engine import ToyAgent

class Mine(ToyAgent):
    def __init__(self, weights=None):
        super().__init__(threshold())
"""


class Told:
    """Remembers the sentences."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def note(self, text: str) -> None:
        self.notes.append(text)

    def start(self, total: int, done: int) -> None: ...

    def advance(self, outcome: Outcome) -> None: ...

    def finish(self) -> None: ...


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "models"
    place.mkdir()
    monkeypatch.syspath_prepend(str(place))
    (place / "my_agent.py").write_text(MODEL)
    (place / "helpers_of_mine.py").write_text("def threshold():\n    return 0.5\n")
    (place / "unrelated.py").write_text("")
    return place


@pytest.fixture
def enter(tmp_path: Path) -> Callable[..., Any]:
    def enter(told: Told | None = None, weights: str | None = None, **fields: Any) -> Any:
        task = TaskEntry("example/toy-v1", "", "toy_engine:ToyTask")
        options = {} if weights is None else {"weights": weights}
        entrant = EntrantEntry("my_agent:Mine", None, "", "my_agent:Mine", options)
        return run(RunRequest(task, entrant, tmp_path / "runs", workers=1, **fields), told)

    return enter


def write(path: Path, text: str) -> None:
    """Edits a file so that its time of change differs, as a person's edits do."""
    before = path.stat().st_mtime_ns if path.exists() else 0
    path.write_text(text)
    os.utime(path, ns=(before + 10**9, before + 10**9))


@pytest.mark.parametrize("edited", ["my_agent.py", "helpers_of_mine.py"])
def test_an_edited_model_gets_a_run_of_its_own(folder: Path, enter: Any, edited: str) -> None:
    first, told = enter(limit=4), Told()
    text = (folder / edited).read_text()
    write(folder / edited, text.replace("threshold()\n    return 0.5", "threshold()\n    return 0.0") + "\n# edited\n")
    second = enter(told, limit=4)
    assert second.folder != first.folder
    sentence = f"my_agent:Mine has changed since run {first.folder.name} ({edited}): beginning a new run."
    assert told.notes == [sentence]
    assert len(RunFolder.open(first.folder).outcomes()) == 4
    again = Told()
    assert enter(again).recorded == 12
    assert again.notes == []
    assert RunFolder.open(first.folder).info.build != RunFolder.open(second.folder).info.build


def test_what_is_not_imported_does_not_count(folder: Path, enter: Any) -> None:
    first = enter(limit=1)
    write(folder / "unrelated.py", "changed = True\n")
    assert enter(limit=1).folder == first.folder


def test_other_weights_under_the_same_name_are_another_entrant(folder: Path, enter: Any) -> None:
    weights = folder / "weights"
    weights.mkdir()
    (weights / "layer.bin").write_bytes(b"one")
    first = enter(limit=1, weights=str(weights))
    (weights / "__pycache__").mkdir()
    (weights / "__pycache__" / "agent.pyc").write_bytes(b"made by running")
    assert enter(limit=1, weights=str(weights)).folder == first.folder
    write(weights / "layer.bin", "two")
    told = Told()
    assert enter(told, limit=1, weights=str(weights)).folder != first.folder
    assert "(@weights): beginning a new run" in told.notes[0]


FINGERPRINTED = """
from pathlib import Path
from toy_engine import ToyAgent

class Mine(ToyAgent):
    def fingerprint(self):
        return Path(__file__).with_name("mark").read_text()
"""


def test_a_fingerprint_that_only_building_tells_begins_a_new_run(folder: Path, enter: Any, tmp_path: Path) -> None:
    (folder / "my_agent.py").write_text(FINGERPRINTED)
    (folder / "mark").write_text("one")
    first = enter()
    assert RunFolder.open(first.folder).info.fingerprint == "one"
    (folder / "mark").write_text("two")
    told = Told()
    second = enter(told, limit=5)
    assert second.folder != first.folder
    assert (second.recorded, RunFolder.open(second.folder).info.fingerprint) == (5, "two")
    assert "(its fingerprint): beginning a new run." in told.notes[0]
    assert enter(limit=7).folder == second.folder
    (folder / "mark").write_text("one")
    assert enter() == first
    assert len(list_runs(tmp_path / "runs")) == 2


def test_a_fingerprint_that_is_never_the_same_is_refused(folder: Path, enter: Any) -> None:
    code = FINGERPRINTED.replace('Path(__file__).with_name("mark").read_text()', "__import__('uuid').uuid4().hex")
    (folder / "my_agent.py").write_text(code)
    enter(limit=1)
    with pytest.raises(EntrantError, match="follow from weights and code alone"):
        enter(limit=4)


EDITS_ITSELF = """
import os
from pathlib import Path
from toy_engine import ToyAgent

class Mine(ToyAgent):
    def act(self, observation):
        if not Path(__file__).with_name("died").exists():
            Path(__file__).with_name("died").touch()
            Path(__file__).write_text(Path(__file__).read_text() + "# edited while the run was under way")
            os._exit(3)
        return super().act(observation)
"""


def test_code_edited_while_a_run_is_under_way_is_not_mixed_in(folder: Path, enter: Any, tmp_path: Path) -> None:
    (folder / "my_agent.py").write_text(EDITS_ITSELF)
    with pytest.raises(EntrantError, match="not the same in every worker: it was edited while the run"):
        enter()
    assert enter().complete
    assert len(list_runs(tmp_path / "runs")) == 1


def test_code_is_found_through_packages_and_relative_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    package = tmp_path / "my_lab" / "nets"
    package.mkdir(parents=True)
    (tmp_path / "my_lab" / "__init__.py").write_text("")
    (package / "__init__.py").write_text("from .. import shared\n")
    (tmp_path / "my_lab" / "shared.py").write_text("import numpy\nimport pentathlon.core\nimport beside\n")
    (package / "agent.py").write_text("from .parts import layer\nfrom . import heads\n\ndef make(): ...\n")
    (package / "parts.py").write_text("layer = 1\n")
    (package / "heads.py").write_text("import my_lab.nets.agent\n")
    (package / "unused.py").write_text("")
    (tmp_path / "beside.py").write_text("this is no python\n")
    assert entrant_code("my_lab.nets.agent:make").keys() == {
        "beside.py",
        "my_lab/__init__.py",
        "my_lab/nets/__init__.py",
        "my_lab/nets/agent.py",
        "my_lab/nets/heads.py",
        "my_lab/nets/parts.py",
        "my_lab/shared.py",
    }


def test_installed_packages_are_known_by_version_and_files() -> None:
    from pentathlon.core import ENTRANTS

    own = entrant_content(ENTRANTS.get("mae-tiny"))
    assert own.keys() == {"pentathlon", "@mae-tiny.safetensors"}
    assert entrant_code("numpy:array").keys() == {"numpy"}
    assert entrant_code("builtins:dict") == entrant_code("no_such_module_x:f") == {}


def test_a_fresh_run_keeps_the_one_before(folder: Path, enter: Any, tmp_path: Path) -> None:
    first, told = enter(), Told()
    inside = (first.folder / "trials.jsonl").read_bytes()
    second = enter(told, fresh=True, limit=3)
    assert second.folder == first.folder
    assert second.recorded == 3
    (aside,) = first.folder.parent.glob(".*")
    assert told.notes == [f"Beginning anew; what was recorded before lies in {aside}."]
    assert (aside / "trials.jsonl").read_bytes() == inside
    assert [one.path for one in list_runs(tmp_path / "runs")] == [first.folder]
    enter(fresh=True, limit=1)
    assert len(list(first.folder.parent.glob(".*"))) == 2


def test_hub_weights_of_a_finished_run_are_looked_at_again(folder: Path, enter: Any) -> None:
    """Code that is installed and weights that are files tell what the entrant is; a hub's weights may have changed."""
    row = EntrantEntry("mine", None, "", "pentathlon.x:make", {"weights": str(folder)})
    installed, edited = {"pentathlon": "0.1.0"}, {"my_agent.py": "1"}
    assert is_told(row, installed)
    assert is_told(replace(row, options={}), installed)
    assert not is_told(row, edited)
    assert not is_told(replace(row, options={"weights": "clip-grad:builtin"}), installed)


def test_a_fingerprint_is_not_given_to_trials_that_were_recorded_without(folder: Path, enter: Any) -> None:
    (folder / "my_agent.py").write_text(FINGERPRINTED)
    (folder / "mark").write_text("one")
    first = enter(limit=2)
    info = first.folder / "run.json"
    info.write_text(info.read_text().replace('"fingerprint": "one"', '"fingerprint": ""'))
    second = enter(limit=3)
    assert (second.folder != first.folder, second.recorded) == (True, 3)
    assert len(RunFolder.open(first.folder).outcomes()) == 2


def test_weights_without_a_name_are_not_the_present_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    row = EntrantEntry("mine", None, "", "pentathlon.models.encoders.factories:pixels", {"weights": ""})
    assert list(entrant_content(row)) == ["pentathlon"]
    assert is_told(row, entrant_content(row))
