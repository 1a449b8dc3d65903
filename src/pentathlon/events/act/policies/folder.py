"""Folders of policies: ``entrant.json`` with code and weights beside it, or a folder in TOTO's own layout."""

from __future__ import annotations

from pathlib import Path

from pentathlon.core.entrant_folder import FORMAT, MANIFEST, enter, load_entrant
from pentathlon.core.entrants import Policy
from pentathlon.core.errors import DataError

TOTO_CONFIG = "hydra.yaml"


def load_policy(folder: Path) -> Policy:
    """Imports a policy's code and builds it. Runs foreign code: use it in a sandbox or on your own folders.

    Raises:
        DataError: when the folder is in neither layout.
        EntrantError: when the factory builds something else than a policy.
    """
    folder = folder.resolve()
    if (folder / MANIFEST).is_file():
        policy: Policy = load_entrant(folder, "policy")
        return policy
    if not (folder / TOTO_CONFIG).is_file():
        raise DataError(
            f"{folder.name} is no folder of a policy: expected {MANIFEST} (format {FORMAT}) in it, "
            f"or TOTO's {TOTO_CONFIG}."
        )
    from pentathlon.events.act.policies.toto import load_toto_policy

    enter(folder)
    return load_toto_policy(folder)
