"""Runs submitted agents where they can do no harm: bubblewrap, a dropped user, limits and a system-call filter."""

from pentathlon.server.sandbox.bubblewrap import sandbox_problem
from pentathlon.server.sandbox.limits import Limits, SandboxError, State
from pentathlon.server.sandbox.policy import SandboxedPolicy, open_policy

__all__ = ["Limits", "SandboxError", "SandboxedPolicy", "State", "open_policy", "sandbox_problem"]
