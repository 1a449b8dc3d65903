"""Builds what lies in a folder in a sandbox of its own, which ends with the context."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeAlias

from pentathlon.core.entrants import Kind
from pentathlon.core.errors import UsageError
from pentathlon.core.specs import InteractionSpec, Spec
from pentathlon.server.sandbox.access import readable
from pentathlon.server.sandbox.bubblewrap import read_only, sandbox_problem
from pentathlon.server.sandbox.kinds.encoder import SandboxedEncoder
from pentathlon.server.sandbox.kinds.interaction import SandboxedAgent, SandboxedPolicy
from pentathlon.server.sandbox.kinds.judge import SandboxedJudge
from pentathlon.server.sandbox.kinds.session import Session
from pentathlon.server.sandbox.limits import Limits, SandboxError
from pentathlon.server.sandbox.log import EntrantLog
from pentathlon.server.sandbox.process import Program, SandboxProcess, run_module
from pentathlon.server.sandbox.sandbox_messages import Load
from pentathlon.server.sandbox.window import Window

ENTRANT_FOLDER = "/entrant"

Sandboxed: TypeAlias = SandboxedEncoder | SandboxedAgent | SandboxedPolicy | SandboxedJudge


@contextmanager
def open_sandboxed(
    kind: Kind,
    folder: Path,
    *,
    limits: Limits,
    log: Path,
    spec: Spec | None,
    training_seed: int = 0,
    fingerprint: str | None = None,
    interrupted: Callable[[], None] = lambda: None,
    kept_bytes: int | None = None,
) -> Iterator[Sandboxed]:
    """Builds the entrant in ``folder``.

    Args:
        kind: what the task tests.
        folder: as unpacked; it is shown to the entrant read-only.
        limits: what the entrant may use.
        log: the entrant's output is appended to it, and one line that says how it ended.
        spec: what the task offers and takes.
        training_seed: which of a policy's trained versions to run, where it holds several.
        fingerprint: of the folder, under which the features of an encoder may be kept.
        interrupted: is called before each question and while waiting; raises to break off.
        kept_bytes: of what it prints once it is built, when not all of that goes to the log.

    Raises:
        SandboxError: when the entrant cannot be built, or later misbehaves; ``state`` says how.
    """
    problem = sandbox_problem()
    if problem is not None:
        raise SandboxError("refused", problem)
    entrant_log = EntrantLog(log, limits.output_bytes)
    try:
        with (
            readable(folder) as shown,
            closing(Window()) as window,
            closing(SandboxProcess(_harness(shown, limits, window), limits)) as process,
        ):
            session = Session(process, window, limits, entrant_log, interrupted)
            entrant = _build(session, Load(kind, ENTRANT_FOLDER, training_seed), spec, fingerprint)
            if kept_bytes is not None:
                entrant_log.keep_only(kept_bytes)
            yield entrant
            entrant_log.conclude("The entrant was ended in good order.")
    finally:
        entrant_log.close()


def _build(session: Session, load: Load, spec: Spec | None, fingerprint: str | None) -> Sandboxed:
    if load.kind == "encoder":
        return SandboxedEncoder(session, load, spec, fingerprint)
    if load.kind == "judge":
        return SandboxedJudge(session, load, spec)
    if not isinstance(spec, InteractionSpec):
        raise UsageError(f"A task for a {load.kind} must say what it offers and takes, got {spec!r} as its spec.")
    return SandboxedPolicy(session, load, spec) if load.kind == "policy" else SandboxedAgent(session, load, spec)


def _harness(folder: Path, limits: Limits, window: Window) -> Program:
    words = run_module("pentathlon.server.sandbox.harness")
    return Program(words, read_only(folder, ENTRANT_FOLDER), limits.temporary_bytes, (window.descriptor,))
