"""The hostile agents: which file of ``sandbox/attacks/agents`` each is, and how the sandbox must end it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pentathlon.server.sandbox import Limits
from pentathlon.server.sizes import MEBIBYTE

AGENTS = Path(__file__).parent / "sandbox" / "attacks" / "agents"
TIGHT = Limits(
    memory_bytes=256 * MEBIBYTE,
    temporary_bytes=8 * MEBIBYTE,
    processes=24,
    start_s=20.0,
    step_s=5.0,
    output_bytes=256 * 1024,
)
"""Limits that end most attacks within seconds."""


@dataclass(frozen=True)
class HostileAgent:
    """One hostile agent.

    Attributes:
        agent: its file, without the ending.
        states: in one of which the sandbox ends it; ``finished`` where nothing is left to do but to act.
        words: one of which the sentence holds that says how it ended; none where it finishes.
        options: that choose among the attacks of one file.
        passes_check: whether one action on a blank picture does not betray it.
        races: whether it may lose the race at the check, and win it later.
        can_sleep: whether it can also begin in the middle of a trial.
        costs_trials: whether on a robot it costs nothing but its trials, each of which ends with a zero.
    """

    agent: str
    states: tuple[str, ...] = ("finished",)
    words: tuple[str, ...] = ("",)
    options: dict[str, Any] = field(default_factory=dict)
    passes_check: bool = False
    races: bool = False
    can_sleep: bool = True
    costs_trials: bool = False

    @property
    def is_harmless(self) -> bool:
        """Whether it may go on as a good agent once its attack was blocked."""
        return self.states == ("finished",)


def agent_files(name: str, **options: Any) -> dict[str, str]:
    """The files of the agent folder that a submitter would upload."""
    manifest = {"format": "pentathlon-entrant-v1", "kind": "policy", "factory": f"{name}:make", "options": options}
    code = {file.name: file.read_text() for file in AGENTS.glob("*.py")}
    return {**code, "entrant.json": json.dumps(manifest)}


def make_folder(folder: Path, name: str, **options: Any) -> Path:
    """Makes that folder."""
    folder.mkdir(mode=0o755, exist_ok=True)
    for file, content in agent_files(name, **options).items():
        (folder / file).write_text(content)
    return folder


BLOCKED = (
    "network_tcp",
    "network_other",
    "read_host_files",
    "read_other_uploads",
    "write_outside",
    "ptrace",
    "proc_snooping",
    "environment_secrets",
    "namespaces",
    "kernel_surface",
    "machine_slots",
    "disk_fill",
    "leftover_daemon",
    "window_tampering",
    "terminal_escapes",
)
OVERRUNS = ("loop_at_import", "loop_in_factory", "loop_in_predict", "loop_in_reset", "slow_loris", "closed_pipe")
MEMORY_BOMBS = ("memory_bomb", "memory_bomb_in_children")
EXITS = {
    "raise": "The entrant failed in predict: SystemExit: 0",
    "leave": "The entrant's process ended by itself with status 0 in predict.",
    "abort": "The entrant's process ended by itself with status 134 in predict.",
}
LIES = {
    "forged_answers": ("crashed", ("more than one reply to one request", "an answer that was not asked for")),
    "forged_result": ("crashed", ("no valid answer to predict: Object contains unknown field `reward_g`",)),
    "huge_reply": ("bad_answer", (" bytes: too long to be sent",)),
    "endless_reply": ("crashed", ("no valid answer to predict: 4,294,967,295 bytes",)),
    "deep_nesting": ("crashed", ("no valid answer to predict",)),
    "broken_text": ("crashed", ("no valid answer to predict",)),
    "endless_shape": ("bad_answer", ("shape (0, 4611686018427387904, 8)",)),
    "pickled_reply": ("bad_answer", ("dtype 'object'",)),
    "patched_harness": ("crashed", ("answered predict with Ready", "no valid answer", "ended by itself")),
}
BAD_ACTIONS = {
    "nan": "finite",
    "infinite": "finite",
    "too large for float32": "finite",
    "outside the range": "within [",
    "one joint short": "got shape [6]",
    "three dimensions": "got shape [2, 3, 7]",
    "no actions": "got shape [0, 7]",
    "endless chunk": "got shape [5000, 7]",
    "integers": "dtype int64",
    "complex": "dtype 'complex128'",
    "text": "dtype 'str",
    "nothing": "dtype 'object'",
    "objects": "dtype 'object'",
}
WEIRD_EXCEPTIONS = {
    "unprintable": "an exception that cannot be printed",
    "base": "NotAnException: out of the tree",
    "interrupt": "KeyboardInterrupt",
    "generator": "GeneratorExit",
    "long": "xxx ...",
    "loop": "ValueError: first",
}
_LAYERS = ["a0: &a0 {x: 1}"] + [f"a{n}: &a{n} {{l: *a{n - 1}, r: *a{n - 1}}}" for n in range(1, 60)]
YAML_BOMB = "\n".join(_LAYERS) + "\nagent: {type: bc}\n"
"""A ``hydra.yaml`` that needs no agent."""


def _suite() -> dict[str, HostileAgent]:
    suite = {agent: HostileAgent(agent) for agent in BLOCKED}
    for agent in OVERRUNS:
        suite[agent] = HostileAgent(agent, ("timed_out",), ("The entrant took more than ",))
    # The harness, in the same process, gets nothing or, where it was quicker, a part that makes no sense.
    garbled = ("The entrant took more than ", "The entrant failed in ")
    suite["stolen_requests"] = HostileAgent("stolen_requests", ("timed_out", "crashed"), garbled, races=True)
    total = ("s for all its calls; stopped in predict.",)
    suite["creeping"] = HostileAgent("creeping", ("timed_out",), total, passes_check=True)
    for agent in MEMORY_BOMBS:
        suite[agent] = HostileAgent(agent, ("out_of_memory",), (" MiB of memory",))
    suite["memory_bomb_shared"] = HostileAgent("memory_bomb_shared", ("out_of_memory",), (" MiB of memory",))
    many = ("more than 10,000 temporary files", " MiB of memory")
    suite["many_files"] = HostileAgent("many_files", ("out_of_memory",), many)
    suite["fork_bomb"] = HostileAgent("fork_bomb", ("crashed", "timed_out"))
    suite["thread_bomb"] = HostileAgent("thread_bomb", ("crashed",), ("can't start new thread",))
    suite["output_flood"] = HostileAgent("output_flood", ("crashed",), ("The entrant printed more than ",))
    suite["kill_parent"] = HostileAgent("kill_parent", ("crashed",), ("ended by itself with status 137 in predict",))
    for agent, (state, words) in LIES.items():
        suite[agent] = HostileAgent(agent, (state,), words)
    declared = ("'action.shape': the task expects (7,), the entrant declares (14,)",)
    suite["false_declaration"] = HostileAgent("false_declaration", ("refused",), declared, can_sleep=False)
    for how, sentence in EXITS.items():
        suite[f"exit_quietly: {how}"] = HostileAgent("exit_quietly", ("crashed",), (sentence,), {"how": how})
    for action, words in BAD_ACTIONS.items():
        suite[f"bad_actions: {action}"] = HostileAgent("bad_actions", ("bad_answer",), (words,), {"action": action})
    outside = suite["bad_actions: outside the range"]
    suite["bad_actions: outside the range"] = replace(outside, passes_check=True, costs_trials=True)
    for kind, words in WEIRD_EXCEPTIONS.items():
        suite[f"weird_exceptions: {kind}"] = HostileAgent("weird_exceptions", ("crashed",), (words,), {"kind": kind})
    return suite


SUITE = _suite()
"""Every hostile agent by name."""
