"""Control tasks of DMControl, MetaWorld, Adroit and TriFinger: the table; environments are in ``env``."""

from pentathlon.worlds.control.tasks import CONTROL_TASKS, ControlTask, control_task, episode_score

__all__ = ["CONTROL_TASKS", "ControlTask", "control_task", "episode_score"]
