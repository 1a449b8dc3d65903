"""The problem sets of a virtual home, by group and level."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from pentathlon.core.tiers import Tier
from pentathlon.events.judge.data.problem_sets import Clip, ProblemSet
from pentathlon.events.judge.films.home.level_one import plan_level_one
from pentathlon.events.judge.films.home.near_misses import plan_near_misses, plan_progress
from pentathlon.events.judge.films.home.recipe import Recipe, clip_of
from pentathlon.events.judge.films.home.sequences import plan_sequences

SHORT_SIDE_PX, SHORT_CLIPS = 64, 2


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
    return replace(problem_set, clips=tuple(_short(clip) for clip in problem_set.clips[:SHORT_CLIPS]))


def _short(clip: Clip) -> Clip:
    recipe = msgspec.convert(clip.recipe, Recipe)
    quick = msgspec.structs.replace(recipe, quick=True, side_px=SHORT_SIDE_PX)
    return clip_of(quick, clip.labels, clip.miss)
