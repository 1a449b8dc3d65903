"""The command line as a user meets it: help, sentences instead of tracebacks, exit statuses, no heavy imports."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pentathlon import __version__
from pentathlon.cli import main
from pentathlon.cli.main import COMMANDS, parse
from pentathlon.core import TaskEntry
from pentathlon.models.encoders.checked import checked_encode

HEAVY = ("torch", "mujoco", "ray", "transformers", "numba", "jax")


@pytest.mark.parametrize("statement", ["import pentathlon", "from pentathlon.cli.main import parse; parse(['--help'])"])
def test_nothing_heavy_is_imported(statement: str) -> None:
    code = (
        f"import sys\ntry:\n    exec({statement!r})\nexcept SystemExit as stop:\n    assert stop.code in (0, None)\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert child.stderr.strip().splitlines()[-1] == "[]"


def test_help_names_every_command_with_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--help"])
    assert stop.value.code == 0
    text = capsys.readouterr().out
    for name in COMMANDS:
        assert f" {name} " in text


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_option_is_explained(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([name, "--help"])
    assert stop.value.code == 0
    assert len(capsys.readouterr().out.splitlines()) > 3


def test_list_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "tasks", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {"id": "example/cartpole-v1", "event": "example", "meaning": "Keep a pole up for 500 steps"} in rows


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["run", "example/cartpol-v1", "-e", "cartpole-random"], "Did you mean 'example/cartpole-v1'?"),
        (["run", "nothing/*", "-e", "cartpole-random"], "Unknown task pattern 'nothing/*'."),
        (["run", "example/cartpole-v1", "-e", "cartpole-randon"], "Did you mean 'cartpole-random'"),
        (["run", "example/cartpole-v1"], "Expected an entrant, got none"),
        (["run", "example/cartpole-v1", "-e", "no_such_module_x:Agent"], "No module named 'no_such_module_x'"),
        (["run", "example/cartpole-v1", "-e", "builtins:list"], "list is no entrant"),
        (["run", "example/cartpole-v1", "-e", "math:sqrt"], "could not be built: math:sqrt raised TypeError"),
        (["standings", "no/such/folder"], "found none. Make some with: pentathlon sprint"),
        (["compare", "no/such/run", "no/such/other"], "no/such/run"),
        (["cache", "trim"], "Expected a size of 0 GiB or more to trim to, got None."),
        (["cache", "trim", "--to-gib", "-1"], "Expected a size of 0 GiB or more to trim to, got -1.0."),
        (["cache", "trim", "--to-gib", "nan"], "Expected a size of 0 GiB or more to trim to, got nan."),
    ],
)
def test_bad_input_ends_in_a_sentence_and_status_2(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    captured = capsys.readouterr()
    assert sentence in captured.err
    assert "Traceback" not in captured.err + captured.out


def test_debug_shows_the_traceback(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["standings", str(tmp_path), "--debug"]) == 2
    assert "Traceback" in capsys.readouterr().err


def test_an_outside_package_runs_through_the_whole_engine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for entrant in ("cartpole-scripted", "cartpole-random", "cartpole-crashing"):
        assert main(["run", "example/cartpole-v1", "-e", entrant, "--workers", "2"]) == 0
    text = capsys.readouterr().out
    assert "cartpole-scripted  success: 100.0 % [83.9, 100.0] n=20" in text
    assert "trials ended in an error" in text
    assert "to run them again add: --retry-errors 1" in text

    assert main(["standings", "--json"]) == 0
    json.loads(capsys.readouterr().out)
    assert main(["report"]) == 0
    assert (tmp_path / "runs" / "report" / "index.html").is_file()
    # What a run printed is what compare takes.
    folders = re.findall(r"^  Folder: (.+)$", text, re.MULTILINE)
    assert len(folders) == 3
    assert main(["compare", folders[0], folders[1]]) == 0
    assert "cartpole-scripted minus cartpole-random, paired over 20 common trials" in capsys.readouterr().out


def test_entrants_of_one_command_run_one_after_the_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["run", "example/cartpole-v1", "-e", "cartpole-scripted", "-e", "cartpole-random", "--limit", "2"]
    assert main([*words, "--workers", "1"]) == 0
    told = capsys.readouterr().out
    assert [told.count(f"{name}  success: ") for name in ("cartpole-scripted", "cartpole-random")] == [1, 1]
    assert main([*words, "-e", "cartpole-randon"]) == 2
    assert "success" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "given"),
    [((), None), (("--skip-broken",), True), (("--skip-broken", "-o", "x"), True), (("--skip-broken", "false"), False)],
)
def test_a_yes_or_no_option_of_an_event_stands_alone(words: tuple[str, ...], given: bool | None) -> None:
    command: Any = parse(["run", "judge/*", "-e", "judge-random", *words])
    assert command.event.skip_broken is given


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"pentathlon {__version__}\n"


def test_one_corrupt_run_is_named_beside_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["run", "example/cartpole-v1", "-e", "cartpole-random", "--limit", "2", "--workers", "1"]
    for out in ("fine", "torn"):
        assert main([*words, "--out", str(tmp_path / out)]) == 0
    (summary,) = tmp_path.glob("torn/example/*/*/summary.json")
    summary.write_text("{")
    capsys.readouterr()
    assert main(["standings", str(tmp_path), "--csv"]) == 0
    assert main(["report", str(tmp_path)]) == 0
    shown = capsys.readouterr()
    assert "cartpole-random,success," in shown.out
    assert shown.err.count(f"warning: {summary} is corrupted") == 2


def test_an_entrant_that_never_works_says_why_and_ends_with_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [
        "from pentathlon_cartpole import RandomAgent",
        "class Broken(RandomAgent):",
        "    def act(self, seen): 1 / 0",
    ]
    (tmp_path / "never_works.py").write_text("\n".join(lines))
    words = ["run", "example/cartpole-v1", "-e", "never_works:Broken", "--limit", "2", "--workers", "1"]
    assert main(words) == 1
    assert "The first: ZeroDivisionError: division by zero" in capsys.readouterr().out


def test_the_readme_s_own_model_enters_from_its_folder(tmp_path: Path) -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    code = re.search(r"```python\n(# my_encoder\.py.*?)```", readme, re.DOTALL)
    command = re.search(r"pentathlon (run see/.* --entrant my_encoder:MyEncoder)", readme)
    assert code
    assert command
    (tmp_path / "my_encoder.py").write_text(code[1])
    program = str(Path(sys.executable).with_name("pentathlon"))
    words = [program, *command[1].split(), "--rehearse"]
    child = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert child.returncode == 0, child.stderr
    assert "my_encoder:MyEncoder  score:" in child.stdout
    assert "error" not in child.stdout
    written: dict[str, Any] = {}
    exec(compile(code[1], "my_encoder.py", "exec"), written)
    trifinger = checked_encode(written["MyEncoder"](), np.zeros((2, 270, 270, 3), np.uint8))
    assert trifinger.pooled.shape[0] == 2


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "Expected at least one task, got none."),
        (["example/cartpole-v1", "--fail-on-error", "2"], "Expected a share of errors from 0 to 1, got 2."),
        (["example/cartpole-v1", "--shard", "3/2"], "Expected a shard such as 2/8, the second of eight, got '3/2'."),
        (["example/cartpole-v1", "--address", "127.0.0.1:1"], "Add: --on ray"),
        (["example/cartpole-v1", "--trial", "episode-20"], "Unknown trial 'episode-20'. Did you mean"),
        (["example/cartpole-v1", "--fresh", "--shard", "1/2"], "Expected --fresh or --shard, got both."),
    ],
)
def test_options_of_a_run_that_do_not_fit_are_refused(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["run", *words, "-e", "cartpole-random"]) == 2
    assert sentence in capsys.readouterr().err
    assert not list(tmp_path.rglob("run.json"))


def test_a_task_without_a_rehearsal_cannot_be_rehearsed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    row = TaskEntry("example/plain-v1", "", "pentathlon_cartpole:CartPole")
    monkeypatch.setattr("pentathlon.cli.run.match_tasks", lambda *given: (row,))
    assert main(["run", "example/plain-v1", "-e", "cartpole-random", "--rehearse"]) == 2
    assert "Expected a task that can be rehearsed, got example/plain-v1." in capsys.readouterr().err


def test_a_share_of_errors_fails_the_command_and_scores_are_computed_again(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["run", "example/cartpole-v1", "-e", "cartpole-crashing", "--workers", "1"]
    assert main([*words, "--fail-on-error", "0.9"]) == 0
    assert main([*words, "--fail-on-error", "0.1"]) == 1
    printed = capsys.readouterr().out.splitlines()[0]
    (summary,) = tmp_path.rglob("summary.json")
    summary.unlink()
    assert main(["rescore"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == printed
    assert summary.exists()
