"""Films of a voxel world: a player breaks, mines, places, crafts, finds, fights and gathers."""
