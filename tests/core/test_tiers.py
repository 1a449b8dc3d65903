"""Tiers: one rule makes ids and takes them apart, and no id can be read in two ways."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentathlon.core import TIERS, DataError, TaskId, UnknownIdError, check_tier, tier_of

WORDS = st.from_regex("[a-z0-9]{1,6}", fullmatch=True)
NAMES = st.lists(WORDS, min_size=1, max_size=3).map("-".join).filter(lambda name: name.split("-")[-1] not in TIERS)


@given(NAMES, st.sampled_from(TIERS), st.integers(1, 99))
def test_what_the_rule_makes_it_takes_apart(name: str, tier: str, version: int) -> None:
    parts = TaskId("see", name, tier, version)  # type: ignore[arg-type]
    assert TaskId.parse(str(parts)) == parts
    assert tier_of(str(parts)) == tier


@pytest.mark.parametrize(
    ("task", "tier"),
    [
        ("see/toyworld-hammer-v1", "full"),
        ("see/toyworld-hammer-lite-v2", "lite"),
        ("see/lite-brick-v1", "full"),
        ("see/*", "full"),
        ("see/*-sprint-v[12]", "sprint"),
        ("see/adroit-valve-lite-*", "lite"),
        ("*lite*", "lite"),
    ],
)
def test_the_tier_is_the_last_word_before_the_version(task: str, tier: str) -> None:
    assert tier_of(task) == tier


@pytest.mark.parametrize(
    "bad",
    ["see/hammer", "see/hammer-v0", "find/sprint-v1", "see/hammer-full-v1", "see/hammer-lite-sprint-v1", "a b/c-v1"],
)
def test_ids_that_could_be_misread_are_malformed(bad: str) -> None:
    with pytest.raises(DataError, match="malformed"):
        TaskId.parse(bad)


def test_what_is_no_tier_is_refused() -> None:
    with pytest.raises(UnknownIdError, match="Unknown tier 'lit'. Did you mean 'lite'"):
        check_tier("lit")
