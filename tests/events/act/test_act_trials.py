from dataclasses import replace

import numpy as np
import pytest
import torch
from act_stand_ins import START, StandInPolicy, StandInRobot, turned

from pentathlon.core import Tier, UnknownIdError
from pentathlon.events.act.metrics import REWARD, SUCCESS, reward_statistics, score_trials
from pentathlon.events.act.protocol import ActProtocol, make_protocol
from pentathlon.events.act.trial import HIGHEST_RAD, LOWEST_RAD, for_seed, run_trial
from pentathlon.worlds.tabletop.arm.robot import Sight, TaskName


@pytest.fixture
def protocol() -> ActProtocol:
    return replace(make_protocol("pour", "lite"), horizon_steps=12)


@pytest.mark.parametrize("task", ["pour", "scoop"])
@pytest.mark.parametrize(("tier", "size"), [("full", (480, 640)), ("lite", (240, 320))])
def test_thirty_six_trials_half_of_them_at_unseen_locations(task: TaskName, tier: Tier, size: tuple[int, int]) -> None:
    protocol = make_protocol(task, tier)
    trials = protocol.trials()

    assert len(trials) == len({trial.id for trial in trials}) == 36
    assert sum(trial.seen_location for trial in trials) == 18
    assert protocol.image_size == size
    assert len({trial.setup.container for trial in trials}) == 2
    assert len({trial.setup.material for trial in trials}) == 1


def test_start_poses_are_equal_across_training_seeds() -> None:
    trials = make_protocol("scoop", "full").trials()

    of_seed = {seed: [trial.setup for trial in trials if trial.training_seed == seed] for seed in (0, 1, 2)}
    assert of_seed[0] == of_seed[1] == of_seed[2]
    assert len({setup.seed for setup in of_seed[0]}) == 12


def test_tiers_share_what_stands_on_the_bench() -> None:
    assert make_protocol("pour", "full").trials() == make_protocol("pour", "lite").trials()
    assert len(make_protocol("pour", "sprint").trials()) == 6


def test_unknown_task_and_tier_are_named() -> None:
    with pytest.raises(UnknownIdError, match="'stir'"):
        make_protocol("stir", "lite")
    with pytest.raises(UnknownIdError, match="Did you mean 'lite'"):
        make_protocol("pour", "light")


def test_grams_are_the_reward(protocol: ActProtocol) -> None:
    policy = StandInPolicy([turned(0.0)] * 5 + [turned(1.5)])
    outcome = run_trial(StandInRobot(), policy, protocol.trials()[0], protocol)

    assert outcome.metrics == {"reward_g": 7.0, "success": 1.0}
    assert (outcome.steps, outcome.status) == (12, "ok")
    nothing = run_trial(StandInRobot(), StandInPolicy([turned(0.0)]), protocol.trials()[0], protocol)
    assert nothing.metrics == {"reward_g": 0.0, "success": 0.0}


def test_a_chunk_is_followed_to_its_end_before_the_policy_looks_again(protocol: ActProtocol) -> None:
    robot = StandInRobot()
    policy = StandInPolicy([np.stack([turned(1.5)] * 3 + [turned(0.0)] * 2)])
    outcome = run_trial(robot, policy, protocol.trials()[0], protocol)

    assert policy.calls == robot.looks == 3  # 5 + 5 + 2 of the last chunk
    assert outcome.metrics["reward_g"] == 8.0


def test_watching_changes_nothing(protocol: ActProtocol) -> None:
    seen: list[Sight] = []
    chunk = np.stack([turned(1.5)] * 2 + [turned(0.0)] * 3)
    watched = run_trial(StandInRobot(), StandInPolicy([chunk]), protocol.trials()[0], protocol, seen.append)
    alone = run_trial(StandInRobot(), StandInPolicy([chunk]), protocol.trials()[0], protocol)

    assert watched.metrics == alone.metrics
    assert len(seen) == 4


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (np.full(7, np.nan, np.float32), "finite joint targets, got nan for joint 1 at step 2"),
        (START + np.array([0, 0, 0, 0, 0, 0, 9], np.float32), "within .* got 9.0000 for joint 7 at step 2"),
        (np.zeros(6, np.float32), r"got the shape \[6\] at step 2"),
        (np.zeros((0, 7), np.float32), r"got the shape \[0, 7\]"),
        (np.full(7, 1e300), "finite joint targets, got inf for joint 1 at step 2"),
        ("forward", "joint targets as numbers, got str at step 2"),
        (torch.zeros(7, requires_grad=True), "joint targets as numbers, got Tensor at step 2"),
        (np.stack([START, np.full(7, np.inf, np.float32)]), "for joint 1 at step 3"),
    ],
)
def test_an_action_that_cannot_be_followed_is_an_error_that_says_why(
    protocol: ActProtocol, bad: object, words: str
) -> None:
    policy = StandInPolicy([np.stack([START, START]), bad])
    outcome = run_trial(StandInRobot(), policy, protocol.trials()[0], protocol)

    assert outcome.status == "error"
    assert outcome.metrics == {}
    assert outcome.steps == 2
    with pytest.raises(AssertionError, match=words):
        raise AssertionError(outcome.error)


@pytest.mark.parametrize("limit", [LOWEST_RAD, HIGHEST_RAD])
def test_a_target_that_is_nearly_within_the_limits_is_moved_to_them(protocol: ActProtocol, limit: np.ndarray) -> None:
    outwards = np.sign(limit - (LOWEST_RAD + HIGHEST_RAD) / 2)
    near, far = limit + outwards * np.float32(0.004), limit + outwards * np.float32(0.006)
    robot = StandInRobot()
    outcome = run_trial(robot, StandInPolicy([np.stack([START, near])]), protocol.trials()[0], protocol)
    assert outcome.status == "ok"
    assert outcome.details["clamped_rad"] == pytest.approx(0.004, abs=1e-4)
    np.testing.assert_array_equal(robot.sense_joints(), limit)
    assert run_trial(robot, StandInPolicy([far]), protocol.trials()[0], protocol).status == "error"
    within = run_trial(robot, StandInPolicy([limit]), protocol.trials()[0], protocol)
    assert "clamped_rad" not in within.details


def test_scores_stand_apart_for_seen_and_unseen_locations(protocol: ActProtocol) -> None:
    robot = StandInRobot()
    outcomes = []
    for trial in protocol.trials():
        policy = StandInPolicy([turned(1.5 if trial.seen_location else 0.0)])
        outcomes.append(run_trial(robot, policy, trial, protocol))
    seen = {trial.id: trial.seen_location for trial in protocol.trials()}
    scores = {score.metric: score for score in score_trials((REWARD, SUCCESS), outcomes, seen)}

    assert scores["reward_g"].value == 6.0
    assert scores["success"].value == 50.0
    assert (scores["reward_g, seen locations"].value, scores["reward_g, seen locations"].n) == (12.0, 18)
    assert scores["success, unseen locations"].value == 0.0
    assert reward_statistics(outcomes).variance_g2 == 36.0


def test_a_policy_of_several_seeds_is_asked_for_the_trials_one() -> None:
    single = StandInPolicy([START])
    assert for_seed(single, 2) is single
    several = StandInPolicy([START])
    several.for_seed = lambda seed: f"policy {seed}"  # type: ignore[attr-defined]
    assert for_seed(several, 2) == "policy 2"
