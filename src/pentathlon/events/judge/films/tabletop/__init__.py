"""Films of a desk and of doors: what ViSTa films in the real world because a virtual home cannot show it."""
