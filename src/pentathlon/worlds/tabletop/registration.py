"""Tells Gymnasium the names of the bench's environments, without loading a simulator."""

from __future__ import annotations

from gymnasium.envs.registration import register, registry

# A quarter more than the longest demonstrations take.
STEP_LIMITS = {"Pour": 600, "Scoop": 900}


def register_environments() -> None:
    """Registers ``PentathlonPour-v1`` and ``PentathlonScoop-v1``, once."""
    for name, steps in STEP_LIMITS.items():
        env_id = f"Pentathlon{name}-v1"
        if env_id not in registry:
            entry_point = f"pentathlon.worlds.tabletop.env:{name}Env"
            register(env_id, entry_point=entry_point, max_episode_steps=steps)
