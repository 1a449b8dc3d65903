"""Tells Gymnasium the names of the navigation environments, without loading a simulator."""

from __future__ import annotations

from gymnasium.envs.registration import register, registry

# The step limits of RoboTHOR's and Habitat's challenges.
STEP_LIMITS = {"ObjectNav": 500, "ImageNav": 1000, "PointNav": 500}


def register_environments() -> None:
    """Registers ``PentathlonObjectNav-v1``, ``PentathlonImageNav-v1`` and ``PentathlonPointNav-v1``, once."""
    for name, steps in STEP_LIMITS.items():
        env_id = f"Pentathlon{name}-v1"
        if env_id not in registry:
            entry_point = f"pentathlon.worlds.houses.tasks.environments:{name}Env"
            register(env_id, entry_point=entry_point, max_episode_steps=steps)
