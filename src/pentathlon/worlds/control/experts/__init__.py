"""Experts that make the demonstrations: scripted, planned by sampling, or trained."""

from pentathlon.worlds.control.experts.table import DISTURBANCES, Expert, expert_version, make_expert

__all__ = ["DISTURBANCES", "Expert", "expert_version", "make_expert"]
