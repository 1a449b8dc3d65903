from trajectories import counted, make_trajectory, reaching

__all__ = ["counted", "make_trajectory", "reaching"]
