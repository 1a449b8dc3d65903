"""The problem sets of a virtual home, by group and level."""

from __future__ import annotations

from dataclasses import replace

from pentathlon.core.tiers import Tier
from pentathlon.events.judge.data.problem_sets import ProblemSet
from pentathlon.events.judge.films.home.level_one import plan_level_one
from pentathlon.events.judge.films.home.near_misses import plan_near_misses, plan_progress
from pentathlon.events.judge.films.home.recipe import WORLD, Recipe
from pentathlon.events.judge.films.home.sequences import plan_sequences
from pentathlon.events.judge.films.shooting import shortened

SHORT_CLIPS = 2


def plan(group: str, level: int, tier: Tier) -> tuple[ProblemSet, ...]:
    """Plans the problem sets of a group and level; near misses and progress have all levels in one."""
    if group == "near_miss":
        return plan_near_misses(tier)
    if group == "progress":
        return plan_progress(tier)
    if level == 1:
        return plan_level_one(group, tier)
    return plan_sequences(group, level, tier)


def shorten(problem_set: ProblemSet) -> ProblemSet:
    """Returns the set with two small and hasty films."""
    clips = problem_set.clips[:SHORT_CLIPS]
    return replace(problem_set, clips=tuple(shortened(clip, Recipe, WORLD) for clip in clips))
