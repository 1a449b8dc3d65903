"""Fixtures: agents made of the files in ``attacks/agents``, run in the sandbox, and what is left of them."""

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest
from baits import open_listeners
from hostile_agents import SUITE, TIGHT, make_folder

from pentathlon.server.sandbox import Limits, SandboxError, open_sandboxed
from pentathlon.worlds.tabletop.arm.robot import interaction

SPEC = interaction(8, 8)
OBSERVATION = {
    "joints": np.linspace(0.1, 0.7, 7).astype(np.float32),
    "image": np.zeros((8, 8, 3), np.uint8),
    "depth": np.zeros((8, 8), np.float32),
}


@dataclass(frozen=True)
class Ending:
    """How an agent ended: ``finished``, or the state and sentence of its error."""

    state: str
    sentence: str
    log: str


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("sandbox")


def processes_seeing(folder: Path) -> list[int]:
    """Finds the processes in whose view of the file system ``folder`` is mounted: those of its sandbox."""
    found = []
    for number in psutil.pids():
        try:
            if str(folder) in Path(f"/proc/{number}/mountinfo").read_text():
                found.append(number)
        except OSError:
            continue
    return found


def run_agent(folder: Path, log: Path, limits: Limits = TIGHT, predictions: int = 3, spec: Any = SPEC) -> Ending:
    """Runs a short episode, and asserts that no process is left whatever happened."""
    try:
        with open_sandboxed("policy", folder, limits=limits, log=log, spec=spec) as policy:
            policy.reset()
            for _ in range(predictions):
                action = policy.predict(OBSERVATION)
                assert action.dtype == np.float32
                assert action.shape[-1] == 7
                assert np.isfinite(action).all()
        state, sentence = "finished", ""
    except SandboxError as error:
        state, sentence = error.state, str(error)
    assert processes_seeing(folder) == []
    return Ending(state, sentence, log.read_text())


@pytest.fixture(scope="session")
def good_agent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_folder(tmp_path_factory.mktemp("good") / "agent", "honest")


@pytest.fixture
def attack(tmp_path: Path, good_agent: Path) -> Iterator[Callable[..., Ending]]:
    """Runs a hostile agent, which must end as the suite says; afterwards the next good agent must run as ever."""

    def run(
        name: str,
        *,
        changes: dict[str, Any] | None = None,
        predictions: int = 3,
        spec: Any = SPEC,
        prepare: Callable[[Path], object] = lambda folder: None,
        **options: Any,
    ) -> Ending:
        hostile = SUITE[name]
        folder = make_folder(tmp_path / "agent", hostile.agent, **hostile.options, **options)
        log = tmp_path / "agent.log"
        log.unlink(missing_ok=True)
        prepare(folder)
        limits = dataclasses.replace(TIGHT, **(changes or {}))
        ending = run_agent(folder, log, limits, predictions, spec)
        last = ending.log.splitlines()[-1]
        expected = "The entrant was ended in good order." if ending.state == "finished" else f"{ending.state}: "
        assert last.startswith(f"[sandbox] {expected}")
        assert "SUCCEEDED" not in ending.log
        assert ending.state in hostile.states
        assert any(words in ending.sentence for words in hostile.words), ending.sentence
        return ending

    yield run
    after = run_agent(good_agent, tmp_path / "after.log")
    assert after.state == "finished", after


@pytest.fixture
def listeners() -> Iterator[dict[str, Any]]:
    with open_listeners() as listeners:
        yield listeners
