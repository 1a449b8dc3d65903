"""The empty house: plan, walls, openings, finishes."""
