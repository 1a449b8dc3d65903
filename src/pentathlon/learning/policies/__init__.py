"""Learning from recorded trajectories alone: chunked cloning, nearest neighbours, IQL, decision transformer."""

from pentathlon.learning.policies.learners import LEARNERS, Learner, find_learner
from pentathlon.learning.policies.policy import OfflinePolicy, PolicyState, Progress, Training
from pentathlon.learning.policies.recipes import BcRecipe, DtRecipe, IqlRecipe, OfflineRecipe, VinnRecipe
from pentathlon.learning.policies.trajectories import Selection, Split, Trajectory, select, split, subsample

__all__ = [
    "LEARNERS",
    "BcRecipe",
    "DtRecipe",
    "IqlRecipe",
    "Learner",
    "OfflinePolicy",
    "OfflineRecipe",
    "PolicyState",
    "Progress",
    "Selection",
    "Split",
    "Training",
    "Trajectory",
    "VinnRecipe",
    "find_learner",
    "select",
    "split",
    "subsample",
]
