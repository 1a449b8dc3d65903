"""Good agents in the sandbox: what they have, what they are told, and that all of it ends with them."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hostile_agents import YAML_BOMB
from plain_agent import AGENT, OBSERVATION, SPEC, seen, write_agent

from pentathlon.server.sandbox import Limits, SandboxError, bubblewrap, cgroups, open_sandboxed, sandbox_problem


def test_a_good_agent_acts(tmp_path: Path) -> None:
    folder = write_agent(tmp_path / "agent", AGENT, scale=2.0)
    log = tmp_path / "log.txt"
    with open_sandboxed("policy", folder, limits=Limits(), log=log, spec=SPEC, training_seed=3) as policy:
        assert policy.spec == SPEC
        for _ in range(2):
            policy.reset()
            chunk = policy.predict(OBSERVATION)
        assert policy.session.peak_memory_bytes() > 2**20
        assert 0 < policy.session.spent_s < 60
    np.testing.assert_allclose(chunk, [OBSERVATION["joints"] * 2 + 3] * 4, rtol=1e-6)
    lines = log.read_text().splitlines()
    assert lines == ["[entrant] episode begins"] * 2 + ["[sandbox] The entrant was ended in good order."]


def test_torch_works_inside(tmp_path: Path) -> None:
    code = AGENT.replace(
        "return np.stack",
        "import torch; print('torch', torch.__version__, torch.get_num_threads()); "
        "assert float((torch.ones(8, 8) @ torch.ones(8, 8)).sum()) == 512; return np.stack",
    )
    log = tmp_path / "log.txt"
    with open_sandboxed(
        "policy", write_agent(tmp_path / "agent", code), limits=Limits(step_s=120), log=log, spec=SPEC
    ) as policy:
        assert policy.predict(OBSERVATION).shape == (4, 7)
    assert "torch 2." in log.read_text()


def test_a_folder_closed_to_others_is_run(tmp_path: Path) -> None:
    folder = write_agent(tmp_path / "agent", AGENT)
    (folder / "agent.py").chmod(0o600)
    folder.chmod(0o700)
    with open_sandboxed("policy", folder, limits=Limits(), log=tmp_path / "log.txt", spec=SPEC) as policy:
        assert policy.predict(OBSERVATION).shape == (4, 7)


def test_every_call_after_the_first_error_raises_it_again(tmp_path: Path) -> None:
    folder = write_agent(tmp_path / "agent", AGENT.replace("assert observation", "assert not observation"))
    log = tmp_path / "log.txt"
    with open_sandboxed("policy", folder, limits=Limits(), log=log, spec=SPEC) as policy:
        for call in (lambda: policy.predict(OBSERVATION), policy.reset):
            with pytest.raises(SandboxError, match="failed in predict: AssertionError") as error:
                call()
            assert error.value.state == "crashed"
    text = log.read_text()
    assert "Traceback (most recent call last)" in text
    assert text.count("[sandbox] crashed") == 1


MALFORMED = {
    "agent:missing": "no function 'missing'",
    "elsewhere:make": "module 'elsewhere' is not in the folder",
    "os:system": "module 'os' is not in the folder",
    "../../etc/passwd:x": "expected a factory like 'module:function'",
    "agent:make": "dict is no entrant",
}


@pytest.mark.parametrize("factory", MALFORMED)
def test_a_malformed_folder_is_refused(factory: str, tmp_path: Path) -> None:
    folder = write_agent(tmp_path / "agent", "make = dict", factory)
    with (
        pytest.raises(SandboxError) as error,
        open_sandboxed("policy", folder, limits=Limits(), log=tmp_path / "log.txt", spec=SPEC),
    ):
        pytest.fail("it was opened")
    assert error.value.state == "refused"
    assert MALFORMED[factory] in str(error.value)


def test_a_yaml_bomb_explodes_inside(tmp_path: Path) -> None:
    folder = tmp_path / "agent"
    folder.mkdir()
    (folder / "hydra.yaml").write_text(YAML_BOMB)
    limits = Limits(start_s=3.0, memory_bytes=256 * 2**20)
    with (
        pytest.raises(SandboxError) as error,
        open_sandboxed("policy", folder, limits=limits, log=tmp_path / "log", spec=SPEC),
    ):
        pytest.fail("it was opened")
    assert error.value.state in ("out_of_memory", "timed_out")


def test_memory_is_limited_between_calls_without_control_groups(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cgroups, "create", lambda *_: None)
    forking = AGENT.replace(
        "    def predict(self, observation):\n",
        "    def predict(self, observation):\n        import os, time\n"
        "        for _ in range(16):\n            if os.fork() == 0:\n                time.sleep(0.5)\n"
        "                held = bytearray(b'x' * (100 * 2**20))\n                time.sleep(60)\n",
    )
    limits = Limits(memory_bytes=256 * 2**20)
    folder = write_agent(tmp_path / "agent", forking)
    with open_sandboxed("policy", folder, limits=limits, log=tmp_path / "log", spec=SPEC) as policy:
        policy.reset()
        policy.predict(OBSERVATION)
        deadline_s = time.monotonic() + 30
        while policy.session.peak_memory_bytes() and time.monotonic() < deadline_s:
            time.sleep(0.05)
        assert policy.session.peak_memory_bytes() == 0
        with pytest.raises(SandboxError) as error:
            policy.predict(OBSERVATION)
    assert error.value.state == "out_of_memory"


@pytest.mark.parametrize("name", ["memory_bomb", "memory_bomb_in_children"])
def test_memory_is_limited_without_control_groups(
    name: str, attack: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cgroups, "create", lambda *limits: None)
    assert attack(name, changes={"step_s": 20.0}).state == "out_of_memory"


def test_an_ordinary_user_gets_a_user_namespace(
    good_agent: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    words = bubblewrap.command(bubblewrap.read_only(good_agent, "/agent"), 2**20, {}, 3)
    assert "--unshare-user" in words
    assert "--disable-userns" in words
    assert not any("setpriv" in word for word in words)
    with open_sandboxed("policy", good_agent, limits=Limits(), log=tmp_path / "log.txt", spec=SPEC) as policy:
        assert policy.predict(OBSERVATION).shape == (7,)


def test_the_sandbox_dies_with_the_server(good_agent: Path, tmp_path: Path) -> None:
    code = f"""
import time
from pathlib import Path
from pentathlon.server.sandbox import Limits, open_sandboxed
from pentathlon.worlds.tabletop.arm.robot import interaction
folder, log = Path({str(good_agent)!r}), Path({str(tmp_path / "log")!r})
with open_sandboxed("policy", folder, limits=Limits(), log=log, spec=interaction(8, 8)):
    print("open", flush=True)
    time.sleep(600)
"""
    server = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    assert server.stdout.readline() == "open\n"
    assert seen(good_agent)
    server.send_signal(signal.SIGKILL)
    server.wait()
    server.stdout.close()
    deadline_s = time.monotonic() + 10
    while seen(good_agent) and time.monotonic() < deadline_s:
        time.sleep(0.05)
    assert not seen(good_agent)


def test_a_machine_without_bubblewrap_refuses(
    good_agent: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    sandbox_problem.cache_clear()
    try:
        with (
            pytest.raises(SandboxError, match="bubblewrap is not installed") as error,
            open_sandboxed("policy", good_agent, limits=Limits(), log=tmp_path / "log.txt", spec=SPEC),
        ):
            pytest.fail("it was opened")
        assert error.value.state == "refused"
    finally:
        sandbox_problem.cache_clear()
