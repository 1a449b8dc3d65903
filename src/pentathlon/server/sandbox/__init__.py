"""Runs what strangers submit where it can do no harm: bubblewrap, a dropped user, limits and a system-call filter."""

from pentathlon.server.sandbox.bubblewrap import sandbox_problem
from pentathlon.server.sandbox.kinds.opening import Sandboxed, open_sandboxed
from pentathlon.server.sandbox.limits import Limits, SandboxError, State

__all__ = ["Limits", "SandboxError", "Sandboxed", "State", "open_sandboxed", "sandbox_problem"]
