"""The protocol's exact values, ids, variants and the refusal of mixed weights."""

from __future__ import annotations

import numpy as np
import pytest

from pentathlon.core import DataError, Outcome, UnknownIdError, UsageError, content_hash
from pentathlon.events.see.metrics import held_out_scores
from pentathlon.events.see.protocol import make_protocol
from pentathlon.events.see.tasks import TABLE, make_task
from pentathlon.worlds.control import CONTROL_TASKS

TIER_VALUES = {
    # name, tier: demonstrations, episodes, horizon, epochs, evaluated every, seeds
    ("adroit-pen", "full"): (100, 25, 100, 100, 5, (100, 200, 300)),
    ("adroit-relocate", "full"): (100, 25, 200, 100, 5, (100, 200, 300)),
    ("metaworld-hammer", "full"): (25, 25, 500, 100, 5, (100, 200, 300)),
    ("dmcontrol-walker-walk", "full"): (100, 10, 1000, 100, 5, (100, 200, 300)),
    ("trifinger-reach-cube", "full"): (100, 25, 5, 100, 5, (100, 200, 300)),
    ("trifinger-push-cube", "full"): (100, 25, 10, 1000, 25, (100, 200, 300)),
    ("adroit-pen", "lite"): (20, 10, 100, 40, 20, (100, 200, 300)),
    ("metaworld-hammer", "lite"): (20, 10, 200, 40, 20, (100, 200, 300)),
    ("dmcontrol-reacher-hard", "lite"): (100, 10, 250, 40, 20, (100, 200, 300)),
    ("dmcontrol-walker-walk", "lite"): (20, 10, 250, 40, 20, (100, 200, 300)),
    ("trifinger-push-cube", "lite"): (100, 10, 10, 100, 50, (100, 200, 300)),
    ("metaworld-drawer-open", "sprint"): (8, 6, 100, 30, 30, (100,)),
}


@pytest.mark.parametrize(("name", "tier"), TIER_VALUES)
def test_tiers_hold_their_values(name: str, tier: str) -> None:
    protocol = make_protocol(name, tier)  # type: ignore[arg-type]
    values = (protocol.demonstrations, protocol.evaluation_episodes, protocol.task.horizon, protocol.recipe.epochs)
    assert (*values, protocol.evaluate_every_epochs, protocol.seeds) == TIER_VALUES[name, tier]


def test_reacher_is_shown_in_many_places_at_lite_and_as_in_the_paper_at_full() -> None:
    lite, full = (make_protocol("dmcontrol-reacher-easy", tier) for tier in ("lite", "full"))  # type: ignore[arg-type]
    assert (lite.demonstration_steps, lite.shown_task.horizon, lite.task.horizon) == (50, 50, 250)
    assert full.demonstration_steps == full.shown_task.horizon == full.task.horizon == 1000
    walker = make_protocol("dmcontrol-walker-walk", "lite")
    assert lite.demonstrations * lite.demonstration_steps == walker.demonstrations * walker.demonstration_steps


def test_recipes_are_those_of_the_paper() -> None:
    mujoco, trifinger = (make_protocol(name, "full").recipe for name in ("adroit-pen", "trifinger-push-cube"))
    assert (mujoco.hidden, mujoco.normalise_input, mujoco.learning_rate) == ((256, 256, 256), True, 1e-3)
    assert (mujoco.batch_size, mujoco.weight_decay) == (256, 0.0)
    assert (trifinger.hidden, trifinger.normalise_input, trifinger.learning_rate) == ((2000, 2000), False, 1e-4)
    assert trifinger.batch_size == 32


def test_ids_name_the_tier() -> None:
    ids = [row.id for row in TABLE]
    assert len(ids) == len(set(ids)) == 2 * len(CONTROL_TASKS) + 2 + 3 * 3
    assert {"see/adroit-pen-v1", "see/adroit-pen-lite-v1", "see/metaworld-drawer-open-sprint-v1"} <= set(ids)
    assert all(row.make().id == row.id for row in TABLE)


def test_paper_values_stand_only_beside_what_was_run_as_in_the_paper() -> None:
    assert make_task("metaworld-hammer", "full").metrics[0].paper.value == 92.0  # type: ignore[union-attr]
    assert make_task("dmcontrol-reacher-hard", "full").metrics[0].paper is None
    assert make_task("metaworld-hammer", "lite").metrics[0].paper is None
    assert make_task("metaworld-hammer", "full", adapt="e2e").metrics[0].paper is None
    assert make_task("metaworld-hammer", "full", inputs="standardised").metrics[0].paper is None


def test_every_variant_has_a_protocol_of_its_own() -> None:
    protocols = [
        make_protocol("adroit-pen", "lite"),
        make_protocol("adroit-pen", "lite", renderer="opengl"),
        make_protocol("adroit-pen", "lite", adapt="e2e"),
        make_protocol("adroit-pen", "lite", inputs="standardised"),
    ]
    assert len({content_hash(protocol) for protocol in protocols}) == 4
    assert [protocol.encoder_learning_rate for protocol in protocols] == [0.0, 0.0, 1e-5, 0.0]
    assert [protocol.recipe.standardise_input for protocol in protocols] == [False, False, False, True]
    assert make_protocol("trifinger-push-cube", "lite", adapt="e2e").encoder_learning_rate == 1e-4


def test_unknown_tiers_and_adaptations_are_named() -> None:
    with pytest.raises(UnknownIdError, match="Did you mean 'lite'"):
        make_protocol("adroit-pen", "lit")  # type: ignore[arg-type]
    with pytest.raises(UnknownIdError, match="adaptation 'end'"):
        make_protocol("adroit-pen", "lite", adapt="end")  # type: ignore[arg-type]


def test_inputs_of_an_encoder_in_training_are_not_standardised() -> None:
    with pytest.raises(UsageError, match="Expected --inputs paper with --adapt e2e"):
        make_protocol("adroit-pen", "lite", adapt="e2e", inputs="standardised")


def test_the_evaluation_is_chosen_without_the_episode_that_it_scores() -> None:
    assert held_out_scores([(0.0, 0.0, 9.0), (5.0, 5.0, 0.0), (4.0, 6.0, 1.0)]) == (0.0, 0.0, 0.0)
    assert held_out_scores([(1.0, 2.0), (3.0, 4.0)]) == (3.0, 4.0)
    assert held_out_scores([(1.0,), (3.0,)]) == (3.0,)


def test_choosing_raises_the_best_evaluation_and_not_the_held_out_score() -> None:
    generator = np.random.default_rng(0)
    runs = (generator.random((400, 20, 25)) < 0.5).astype(float)
    best = np.mean([run.mean(axis=1).max() for run in runs])
    assert best > 0.65
    assert abs(np.mean([held_out_scores(run.tolist()) for run in runs]) - 0.5) < 0.02


def _outcome(trial: str, score: float, encoder: str | None) -> Outcome:
    metrics = dict.fromkeys(("score", "held_out_score", "last_score"), score)
    return Outcome(trial, metrics, details={} if encoder is None else {"encoder": encoder})


def test_scores_of_one_encoder_are_summed_up() -> None:
    outcomes = [_outcome("seed-100-episode-00", 1.0, "a"), _outcome("seed-100-episode-01", 0.0, "a")]
    failed = Outcome("seed-200-episode-00", status="error", error="lost")
    score, *others = make_task("metaworld-hammer", "lite").scores([*outcomes, failed, _outcome("x", 1.0, None)])
    assert (score.value, score.n, score.errors, score.unit) == (50.0, 4, 1, "%")
    assert [other.metric for other in others] == ["held_out_score", "last_score"]


def test_outcomes_of_changed_weights_are_refused() -> None:
    outcomes = [_outcome("seed-100-episode-00", 1.0, "aaaa"), _outcome("seed-200-episode-00", 0.0, "bbbb")]
    with pytest.raises(DataError, match="aaaa since seed-100-episode-00, bbbb since seed-200-episode-00.*move the run"):
        make_task("metaworld-hammer", "lite").scores(outcomes)
