"""The problem sets of a virtual home, by group and level."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from pentathlon.core.tiers import Tier
from pentathlon.events.judge.data.problem_sets import ProblemSet
from pentathlon.events.judge.films.home.level_one import plan_level_one
from pentathlon.events.judge.films.home.near_misses import plan_near_misses, plan_progress
from pentathlon.events.judge.films.home.recipe import WORLD, Recipe, clip_of
from pentathlon.events.judge.films.home.sequences import plan_sequences
from pentathlon.events.judge.films.shooting import shortened

SHORT_CLIPS = 2
SPRINT_FPS = 8


def plan(group: str, level: int, tier: Tier) -> tuple[ProblemSet, ...]:
    """Plans the problem sets of a group and level; near misses and progress have all levels in one."""
    if group == "near_miss":
        return plan_near_misses(tier)
    if group == "progress":
        return plan_progress(tier)
    if level == 1:
        return plan_level_one(group, tier)
    found = plan_sequences(group, level, tier)
    # Films of a single action would be too short for judges that look at 32 frames.
    return tuple(map(_sparse, found)) if tier == "sprint" else found


def shorten(problem_set: ProblemSet) -> ProblemSet:
    """Returns the set with two small and hasty films."""
    clips = problem_set.clips[:SHORT_CLIPS]
    return replace(problem_set, clips=tuple(shortened(clip, Recipe, WORLD) for clip in clips))


def _sparse(problem_set: ProblemSet) -> ProblemSet:
    """Returns the set with films of fewer frames a second, which are made in two thirds of the time."""
    recipes = [(clip, msgspec.convert(clip.recipe, Recipe)) for clip in problem_set.clips]
    clips = [clip_of(msgspec.structs.replace(recipe, fps=SPRINT_FPS), clip.labels) for clip, recipe in recipes]
    return replace(problem_set, clips=tuple(clips))
