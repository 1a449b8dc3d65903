"""The examples for agents run as their first lines say."""

from pathlib import Path

import numpy as np

from pentathlon.core import compare_specs
from pentathlon.events.act.policies.folder import load_policy
from pentathlon.events.act.trial import check_actions
from pentathlon.models.remote.remote_entrants import connect
from pentathlon.worlds.tabletop.arm.robot import interaction
from web_sockets import served_example

EXAMPLES = Path(__file__).parents[4] / "examples"
SPEC = interaction(24, 32)
OBSERVATION = {
    "joints": np.array([0.1828, -0.4909, -0.0093, -2.4412, 0.2554, 0.3310, 0.0], np.float32),
    "image": np.zeros((24, 32, 3), np.uint8),
    "depth": np.ones((24, 32), np.float32),
}


def test_the_served_policy_can_be_used() -> None:
    with served_example() as url, connect(url, "policy", SPEC) as policy:
        policy.reset()
        assert check_actions(policy.predict(OBSERVATION), 0).shape == (30, 7)


def test_the_agent_folder_can_be_loaded() -> None:
    policy = load_policy(EXAMPLES / "03_policy_folder")
    compare_specs(SPEC, policy.spec)
    np.testing.assert_array_equal(policy.predict(OBSERVATION), OBSERVATION["joints"])
