"""Tells Gymnasium the names of the environments, without loading a simulator."""

from __future__ import annotations

from gymnasium.envs.registration import register, registry

STEP_LIMITS = {
    # Those of RoboTHOR's and Habitat's challenges.
    "ObjectNav": 500,
    "ImageNav": 1000,
    "PointNav": 500,
    # A quarter more than the longest demonstrations take.
    "Pour": 600,
    "Scoop": 900,
}


def register_environments(module: str, *names: str) -> None:
    """Registers ``PentathlonNAME-v1`` for each class ``NAMEEnv`` of a module, once."""
    for name in names:
        env_id = f"Pentathlon{name}-v1"
        if env_id not in registry:
            register(env_id, entry_point=f"{module}:{name}Env", max_episode_steps=STEP_LIMITS[name])
