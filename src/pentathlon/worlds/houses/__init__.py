"""Procedural homes: house files, generator, scene graph, navigation, and the MuJoCo world they become."""

from pentathlon.worlds.houses.tasks.registration import register_environments

register_environments()
