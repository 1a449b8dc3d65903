"""What lives and moves: animals, things lying about, the player, and what the player does."""
