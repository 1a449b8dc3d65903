"""Blocks: a small voxel world of grass, trees, ores and animals, seen through the eyes of a player."""
