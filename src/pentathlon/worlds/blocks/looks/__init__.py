"""How blocks, items and the player's display look: textures, sprites and icons made by code."""
