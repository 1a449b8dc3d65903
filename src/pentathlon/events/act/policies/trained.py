"""Trained policies as entrants: an encoder, and one policy over its features for each training seed."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from pentathlon.core import ENTRANTS, ArraySpec, DataError, InteractionSpec, UnknownIdError, resolve_entrant
from pentathlon.core.entrant_folder import FORMAT, MANIFEST
from pentathlon.core.entrants import Encoder, Floats, Observation
from pentathlon.learning.policies.policy import OfflinePolicy
from pentathlon.models.encoders.checked import checked_encode
from pentathlon.models.encoders.table import TABLE
from pentathlon.models.weights import BUILTIN_FOLDER
from pentathlon.storage.files import whole_folder, write_durably
from pentathlon.worlds.tabletop.arm.model import LIMITS_RAD
from pentathlon.worlds.tabletop.arm.robot import JOINTS

NOTES = "trained.json"
JOINTS_ONLY = "none"
"""In place of an encoder: the policy is given joints alone."""
PATCHES = ("grid@", "patches@")
"""Before an encoder's reference: its patches, over a coarse grid or all of them, instead of its pooled feature."""

_JOINTS = ArraySpec("joints", (JOINTS,), "float32", "rad")
_TARGETS = ArraySpec("joint_targets", (JOINTS,), "float32", "rad")
JOINTS_IN = InteractionSpec((_JOINTS,), _TARGETS)
PICTURES_IN = InteractionSpec((_JOINTS, ArraySpec("image", (None, None, 3), "uint8")), _TARGETS)

AGENT_CODE = '''"""Loads the policy that lies beside this file."""

from pathlib import Path

from pentathlon.events.act.policies.trained import TrainedPolicy


def make() -> TrainedPolicy:
    """Returns the policy; ``for_seed`` chooses one of its training seeds."""
    return TrainedPolicy.load(Path(__file__).parent)
'''


class TrainedPolicy:
    """Encodes the picture and asks the policy of one training seed for the next actions.

    Attributes:
        fingerprint: of all that was trained; equal for all seeds.
    """

    def __init__(
        self, encoder: Encoder | None, policies: Mapping[int, OfflinePolicy], seed: int, fingerprint: str | None = None
    ) -> None:
        self._encoder, self._policies, self._seed = encoder, policies, seed
        self.fingerprint = fingerprint

    @property
    def spec(self) -> InteractionSpec:
        """Joints and pictures of any size in, joint targets out."""
        return JOINTS_IN if self._encoder is None else PICTURES_IN

    def for_seed(self, training_seed: int) -> TrainedPolicy:
        """The same method as trained with another seed.

        Raises:
            UnknownIdError: when it was not trained with that seed.
        """
        if training_seed not in self._policies:
            raise UnknownIdError("training seed", str(training_seed), map(str, self._policies))
        return TrainedPolicy(self._encoder, self._policies, training_seed, self.fingerprint)

    def reset(self) -> None:
        """Forgets the episode so far."""
        self._policies[self._seed].reset()

    def predict(self, observation: Observation) -> Floats:
        """Returns the next actions ``[H, 7]``, kept within the joints' limits."""
        embedding = None
        if self._encoder is not None:
            embedding = checked_encode(self._encoder, observation["image"][None]).pooled[0]
        actions = self._policies[self._seed].act(observation["joints"], embedding)
        return np.clip(actions, LIMITS_RAD[:, 0], LIMITS_RAD[:, 1]).astype(np.float32)

    @classmethod
    def load(cls, folder: Path) -> TrainedPolicy:
        """Reads what :func:`save_policies` wrote.

        Raises:
            DataError: when something is missing.
        """
        from pentathlon.learning.policies.saving import load_policy

        notes = read_notes(folder)
        policies = {seed: load_policy(folder / f"seed-{seed}") for seed in notes["seeds"]}
        return cls(open_encoder(features_of(folder, notes)), policies, notes["seeds"][0], _fingerprint(folder))


def save_policies(
    folder: Path, policies: Mapping[int, OfflinePolicy], learner: str, features: str, facts: Mapping[str, Any]
) -> None:
    """Writes a policy's folder that needs nothing but this package: policies, encoder, and the code that loads them.

    Args:
        folder: appears whole or not at all.
        policies: by training seed.
        learner: their name in ``learning.offline``.
        features: the encoder's reference, or ``none``.
        facts: about the training, for people.

    Raises:
        DataError: when the folder holds something.
    """
    from pentathlon.learning.policies.saving import save_policy

    with whole_folder(folder, "the policy") as partial:
        for seed, policy in policies.items():
            save_policy(policy, learner, partial / f"seed-{seed}")
        features = _keep_encoder(partial, features)
        notes = {"learner": learner, "features": features, "seeds": sorted(policies), **facts}
        write_durably(partial / NOTES, json.dumps(notes, indent=1).encode())
        (partial / "agent.py").write_text(AGENT_CODE)
        manifest = {"format": FORMAT, "kind": "policy", "factory": "agent:make", "name": f"{learner} on {features}"}
        write_durably(partial / MANIFEST, json.dumps(manifest, indent=1).encode())


def _keep_encoder(folder: Path, features: str) -> str:
    """Copies the encoder's weights beside the policies, where they are one file, and returns the new reference.

    A sandbox shows a policy its own folder, not the weights that come with this package.
    """
    for prefix in PATCHES:
        if features.startswith(prefix):
            return prefix + _keep_encoder(folder, features.removeprefix(prefix))
    builtin = BUILTIN_FOLDER / f"{features}.safetensors"
    reference = f"trained@{builtin}" if builtin.is_file() else features
    name, _, weights = reference.partition("@")
    if not weights or not Path(weights).is_file():
        return features
    file = f"encoder{Path(weights).suffix}"
    shutil.copyfile(weights, folder / file)
    return f"{name}@{file}"


def _fingerprint(folder: Path) -> str:
    digest = hashlib.sha256((folder / NOTES).read_bytes())
    for path in sorted(folder.rglob("*.safetensors")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:32]


def read_notes(folder: Path) -> dict[str, Any]:
    """Reads what is known of a trained policy.

    Raises:
        DataError: when there is none.
    """
    try:
        notes: dict[str, Any] = json.loads((folder / NOTES).read_text())
        if not notes["seeds"] or not isinstance(notes["features"], str):
            raise ValueError("it names no seeds or no features")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(
            f"Expected a trained policy in {folder}, could not read {NOTES} ({error}). "
            "Train one with: pentathlon train bc --data act/pour-lite --features moco-tiny --out DIR"
        ) from error
    return notes


def open_encoder(features: str) -> Encoder | None:
    """Builds the encoder that ``features`` names, or none for joints alone."""
    if features == JOINTS_ONLY:
        return None
    # Where this package is on the path but not installed, there are no entry points to find the encoders by.
    for row in TABLE:
        ENTRANTS.register(row)
    encoder: Encoder = resolve_entrant(features).make()
    return encoder


def features_of(folder: Path, notes: Mapping[str, Any]) -> str:
    """The reference of a trained policy's encoder, whose weights may lie in the policy's folder."""
    features: str = notes["features"]
    name, at, weights = features.rpartition("@")
    inside = folder / weights
    return f"{name}@{inside}" if at and inside.is_file() else features
