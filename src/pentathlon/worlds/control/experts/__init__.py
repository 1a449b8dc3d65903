"""Experts that make the demonstrations: scripted, planned by sampling, or trained."""

from pentathlon.worlds.control.experts.table import Expert, expert_version, make_expert

__all__ = ["Expert", "expert_version", "make_expert"]
