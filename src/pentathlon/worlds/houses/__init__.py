"""Procedural homes: house files, generator, scene graph, navigation, and the MuJoCo world they become."""

from pentathlon.worlds.environments import register_environments
from pentathlon.worlds.houses.house import House

__all__ = ["House"]

register_environments("pentathlon.worlds.houses.tasks.environments", "ObjectNav", "ImageNav", "PointNav")
