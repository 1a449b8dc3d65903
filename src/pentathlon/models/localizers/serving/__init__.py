"""One network for many walkers: the process that looks, and a localizer that asks it."""
