"""A house as a MuJoCo world."""
