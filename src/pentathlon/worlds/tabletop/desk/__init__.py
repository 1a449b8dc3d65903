"""A desk seen from above: things that are shuffled and picked up, fabric that is pinned, a door that swings."""
