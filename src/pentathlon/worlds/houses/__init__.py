"""Procedural homes: house files, generator, scene graph, navigation, and the MuJoCo world they become."""

from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.tasks.registration import register_environments

__all__ = ["House", "register_environments"]

register_environments()
