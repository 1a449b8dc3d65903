"""Procedural homes: house files, generator, scene graph, navigation, and the MuJoCo world they become."""
