"""Trained policies on disk: ``policy.safetensors`` for the arrays, ``policy.json`` for the rest."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from pentathlon.core.errors import DataError
from pentathlon.learning.policies.learners import find_learner
from pentathlon.learning.policies.policy import OfflinePolicy

FORMAT = "pentathlon-offline-policy-v1"
ARRAYS_NAME, SETTINGS_NAME = "policy.safetensors", "policy.json"


def save_policy(policy: OfflinePolicy, learner: str, folder: Path) -> None:
    """Writes a policy of the named learner into ``folder``; the settings come last and complete it."""
    if not isinstance(policy, find_learner(learner).policy):
        raise DataError(f"Expected a policy of the learner {learner!r}, got a {type(policy).__name__}.")
    arrays, settings = policy.state()
    folder.mkdir(parents=True, exist_ok=True)
    document = {"format": FORMAT, "learner": learner, "settings": settings}
    partial = folder / "policy.partial"
    save_file({name: np.ascontiguousarray(array) for name, array in arrays.items()}, partial)
    partial.replace(folder / ARRAYS_NAME)
    partial.write_text(json.dumps(document, indent=2, sort_keys=True) + "\n")
    partial.replace(folder / SETTINGS_NAME)


def load_policy(folder: Path) -> OfflinePolicy:
    """Reads what :func:`save_policy` wrote; nothing in the files is run.

    Raises:
        DataError: when a file is missing, broken, or of another format.
        UnknownIdError: when the learner is not known.
    """
    try:
        document = json.loads((folder / SETTINGS_NAME).read_text())
        arrays = load_file(folder / ARRAYS_NAME)
    except (OSError, ValueError, SafetensorError) as error:
        raise DataError(f"Expected a trained policy in {folder}, got {type(error).__name__}: {error}.") from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise DataError(f"Expected the format {FORMAT} in {folder / SETTINGS_NAME}, got another. Train it again.")
    learner, settings = document.get("learner"), document.get("settings")
    if not isinstance(learner, str) or not isinstance(settings, dict):
        raise DataError(f"Expected a learner and settings in {folder / SETTINGS_NAME}. Train it again.")
    return find_learner(learner).policy.from_state(arrays, settings)
