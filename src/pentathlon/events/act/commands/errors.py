"""``pentathlon act errors``: what can be told of a policy without a robot."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import tyro

from pentathlon.core import Runs


@dataclass(frozen=True)
class Errors:
    """Measure a trained policy on held-out demonstrations: errors of joints and of the gripper."""

    policy: tyro.conf.Positional[Path]
    """Folder that `pentathlon train` wrote."""
    data: str = ""
    """Dataset to measure on; that of its training when not given."""

    def run(self, runs: Runs) -> int:
        """Prints the errors of each training seed."""
        from pentathlon.events.act.policies.trained import features_of, read_notes
        from pentathlon.events.act.training import describe_errors, gripper_poses, hold_out, load_features
        from pentathlon.learning.policies.metrics import offline_errors
        from pentathlon.learning.policies.saving import load_policy

        notes = read_notes(self.policy)
        features = features_of(self.policy, notes)
        data = self.data or notes["data"]
        held = hold_out(load_features(data, features, lambda found: hold_out(found).validation)).validation
        for seed in notes["seeds"]:
            errors = offline_errors(load_policy(self.policy / f"seed-{seed}"), held, gripper_poses)
            print(describe_errors(f"seed {seed}, {len(held)} trajectories", errors))
        return 0
