"""Hostile agents: none gets what it wants, each ends with a clear state, and the next good agent runs.

The fixture ``attack`` also asserts that the agent ends as the suite says, that no process is left, that the log ends
with the state, and that a good agent runs afterwards.
"""

import dataclasses
import hashlib
import os
import secrets
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
from hostile_agents import AGENTS, BAD_ACTIONS, EXITS, LIES, MEMORY_BOMBS, SUITE, WEIRD_EXCEPTIONS

import pentathlon
from pentathlon.core.specs import InteractionSpec
from pentathlon.server.sandbox import cgroups
from pentathlon.worlds.tabletop.arm.robot import interaction

Attack = Callable[..., Any]
HELPERS = {"honest", "sleeper"}

# --- reaching out of the sandbox


def test_reaches_no_network(attack: Attack, listeners: dict[str, Any]) -> None:
    ending = attack("network_tcp", **listeners)
    assert ending.log.count("blocked") == 3


def test_reaches_no_other_socket(attack: Attack, listeners: dict[str, Any]) -> None:
    ending = attack("network_other", **listeners)
    assert ending.log.count("blocked") == 4


def test_reads_no_file_of_the_host(attack: Attack, tmp_path: Path) -> None:
    secret = tmp_path / f"secret-{secrets.token_hex(8)}.txt"
    secret.write_text(token := secrets.token_hex(16))
    ending = attack("read_host_files", secret=str(secret))
    assert token not in ending.log
    assert ending.log.count("blocked") == 6


def test_follows_no_link_out_of_its_folder(attack: Attack, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text(token := secrets.token_hex(16))

    def smuggle(folder: Path) -> None:
        (folder / "link.txt").symlink_to(tmp_path / "secret.txt")

    ending = attack("read_host_files", prepare=smuggle, secret="/entrant/link.txt")
    assert "blocked read the secret: FileNotFoundError" in ending.log
    assert token not in ending.log


def test_reads_no_upload_of_others(attack: Attack, tmp_path: Path) -> None:
    neighbour = tmp_path / "neighbour"
    neighbour.mkdir(mode=0o755)
    upload = neighbour / "weights.txt"
    upload.write_text(token := secrets.token_hex(16))
    ending = attack("read_other_uploads", upload=str(upload))
    assert token not in ending.log
    assert ending.log.count("blocked") == 3


def test_writes_nothing_outside(attack: Attack, tmp_path: Path) -> None:
    canary = tmp_path / "canary.txt"
    canary.write_text("untouched")
    canary.chmod(0o666)
    package = Path(pentathlon.__file__)
    before = hashlib.sha256(package.read_bytes()).digest()
    ending = attack("write_outside", canary=str(canary))
    assert ending.log.count("blocked") == 10
    assert canary.read_text() == "untouched"
    assert hashlib.sha256(package.read_bytes()).digest() == before
    assert not (tmp_path / "agent" / "written").exists()


def test_reads_no_other_process(attack: Attack) -> None:
    ending = attack("ptrace", host_pid=os.getpid())
    assert ending.log.count("blocked") == 10


def test_sees_no_process_of_the_host(attack: Attack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENTATHLON_TEST_SECRET", token := secrets.token_hex(16))
    ending = attack("proc_snooping", host_pid=os.getpid())
    assert token not in ending.log
    seen = int(ending.log.split("processes seen:")[1].split()[0])
    assert seen <= 3
    # An ordinary user's agent can look at the first process of its own namespace, which holds nothing but pipes.
    held = [line.split()[1] for line in said(ending.log) if line.startswith("descriptor")]
    assert all(link.startswith(("pipe:", "anon_inode:", "/dev/null")) for link in held), held


def said(log: str) -> list[str]:
    """The lines that the entrant printed, without their mark."""
    lines = log.splitlines()
    return [line.removeprefix("[entrant] ") for line in lines if line.startswith("[entrant] ")]


def test_finds_no_secret_in_its_environment(attack: Attack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENTATHLON_TEST_SECRET", token := secrets.token_hex(16))
    ending = attack("environment_secrets")
    assert token not in ending.log
    assert "PENTATHLON_TEST_SECRET" not in ending.log
    # Beside the three standard streams it holds the two pipes of the harness and the folder being listed.
    descriptors = [line for line in said(ending.log) if line[:1].isdigit()]
    assert 0 < len(descriptors) <= 6, descriptors


def test_gains_no_rights(attack: Attack) -> None:
    ending = attack("namespaces")
    assert ending.log.count("blocked") == 11
    user = int(ending.log.split("user ")[1].split()[0])
    assert user != 0
    assert user != os.getuid()
    for kind in ("Inh", "Prm", "Eff", "Bnd", "Amb"):
        assert f"Cap{kind}:\t0000000000000000" in ending.log
    assert "NoNewPrivs:\t1" in ending.log
    assert "Seccomp:\t2" in ending.log


def test_reaches_no_risky_system_call(attack: Attack) -> None:
    ending = attack("kernel_surface")
    assert ending.log.count("blocked") == 39
    assert "blocked x32: OSError: killed by signal 31" in ending.log
    assert "reached the kernel" not in ending.log


def test_takes_no_slot_and_turns_no_switch_of_the_machine(attack: Attack) -> None:
    ending = attack("machine_slots")
    assert ending.log.count("blocked") == 15
    assert "blocked int 0x80: OSError: killed by signal 31" in ending.log
    assert "reached the kernel" not in ending.log
    # Of 1 byte: by this the kernel knows not to run a crash reporter either, which it would for none.
    assert "crashes may be 1 bytes long" in ending.log


# --- using up the machine


def test_fork_bomb_is_contained(attack: Attack) -> None:
    before = len(psutil.pids())
    attack("fork_bomb", changes={"step_s": 2.0})
    assert len(psutil.pids()) < before + 20


def test_thread_bomb_is_contained(attack: Attack) -> None:
    ending = attack("thread_bomb")
    assert int(ending.log.split("started ")[1].split()[0]) < 24


@pytest.mark.parametrize("name", MEMORY_BOMBS)
def test_memory_bomb_is_contained(attack: Attack, name: str) -> None:
    before = psutil.virtual_memory().available
    attack(name, changes={"step_s": 20.0})
    assert before - psutil.virtual_memory().available < 2**30


@pytest.mark.skipif(not cgroups.works(), reason="nothing limits shared pages without control groups")
def test_pages_that_count_to_no_process_are_limited(attack: Attack) -> None:
    before = psutil.virtual_memory().available
    attack("memory_bomb_shared", changes={"step_s": 20.0})
    assert before - psutil.virtual_memory().available < 2**30


def test_empty_files_are_counted(attack: Attack) -> None:
    attack("many_files", changes={"step_s": 30.0, "memory_bytes": 2**30})


def test_disk_is_not_filled(attack: Attack) -> None:
    before = shutil.disk_usage("/").free
    ending = attack("disk_fill", changes={"start_s": 30.0})
    written = [int(part.split()[0]) for part in ending.log.split("blocked after ")[1:]]
    assert len(written) == 4
    assert max(written) <= 8
    assert before - shutil.disk_usage("/").free < 500 * 2**20


def test_output_flood_is_cut_off(attack: Attack, tmp_path: Path) -> None:
    ending = attack("output_flood")
    assert ending.sentence == "The entrant printed more than 262,144 bytes. Print less."
    assert (tmp_path / "agent.log").stat().st_size < 270_000


@pytest.mark.parametrize(
    ("name", "changes", "sentence"),
    [
        ("loop_at_import", {"start_s": 1.0}, "The entrant took more than 1 s for start."),
        ("loop_in_factory", {"start_s": 1.0}, "The entrant took more than 1 s for start."),
        ("loop_in_predict", {"step_s": 1.0}, "The entrant took more than 1 s for predict."),
        ("loop_in_reset", {"step_s": 1.0}, "The entrant took more than 1 s for reset."),
        ("slow_loris", {"step_s": 1.0}, "The entrant took more than 1 s for predict."),
        ("closed_pipe", {"step_s": 1.0}, "The entrant took more than 1 s for predict."),
    ],
)
def test_time_limits_hold(attack: Attack, name: str, changes: dict[str, float], sentence: str) -> None:
    started_s = time.monotonic()
    ending = attack(name, changes=changes)
    assert ending.sentence.startswith(sentence)
    assert time.monotonic() - started_s < 15.0


def test_total_time_is_limited(attack: Attack) -> None:
    ending = attack("creeping", changes={"total_s": 2.0}, predictions=50)
    assert ending.sentence == "The entrant took more than 2 s for all its calls; stopped in predict."


# --- outliving and killing


def test_leaves_no_daemon(attack: Attack) -> None:
    marker = secrets.token_hex(16)
    attack("leftover_daemon", marker=marker)
    assert not any(marker in (process.info["cmdline"] or ()) for process in psutil.process_iter(["cmdline"]))


def test_kills_only_itself(attack: Attack) -> None:
    ending = attack("kill_parent", host_pid=os.getpid())
    assert ending.log.count("blocked kill") == 3


@pytest.mark.parametrize("how", EXITS)
def test_leaving_early_is_a_crash(attack: Attack, how: str) -> None:
    assert attack(f"exit_quietly: {how}").sentence == EXITS[how]


def test_stolen_requests_are_missed(attack: Attack) -> None:
    attack("stolen_requests", changes={"step_s": 1.0})


# --- lying


@pytest.mark.parametrize("name", [*LIES, "false_declaration"])
def test_lies_are_not_believed(attack: Attack, tmp_path: Path, name: str) -> None:
    attack(name, canary=str(tmp_path / "canary"))
    assert not (tmp_path / "canary.unpickled").exists()


def test_observations_cannot_be_tampered_with(attack: Attack) -> None:
    ending = attack("window_tampering")
    assert ending.log.count("blocked") == 6


def test_log_cannot_be_forged(attack: Attack) -> None:
    ending = attack("forged_result")
    ours = [line for line in ending.log.splitlines() if line.lstrip().startswith("[sandbox]")]
    assert len(ours) == 1
    assert ours[0].startswith("[sandbox] crashed")
    assert "[entrant] [sandbox] The entrant was ended in good order." in ending.log


def test_log_cannot_repaint_a_terminal(attack: Attack) -> None:
    ending = attack("terminal_escapes")
    assert all(character.isprintable() or character == "\n" for character in ending.log)


def test_bad_actions_are_refused(attack: Attack) -> None:
    spec = interaction(8, 8)
    bounded = InteractionSpec(spec.observations, dataclasses.replace(spec.action, low=-4.0, high=4.0))
    for action in BAD_ACTIONS:
        sentence = attack(f"bad_actions: {action}", spec=bounded).sentence
        assert action != "outside the range" or "within [-4.0, 4.0] rad, got values from 1e+09 to 1e+09" in sentence


def test_weird_exceptions_are_crashes(attack: Attack) -> None:
    for kind in WEIRD_EXCEPTIONS:
        ending = attack(f"weird_exceptions: {kind}", changes={"step_s": 5.0})
        assert len(ending.sentence) < 2100
        assert not ending.sentence.endswith(": ")


def test_the_suite_holds_every_hostile_agent() -> None:
    assert {hostile.agent for hostile in SUITE.values()} == {file.stem for file in AGENTS.glob("*.py")} - HELPERS
