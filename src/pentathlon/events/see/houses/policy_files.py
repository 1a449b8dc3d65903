"""Files of ImageNav policies, by name. Nothing heavy is imported."""

from __future__ import annotations

from pathlib import Path

NAMES, TRAINED = "imagenav-*.safetensors", "policy.safetensors"


def policy_files(folder: Path) -> list[Path]:
    """Lists a folder's policies: what `train imagenav` writes, or several by the names of their encoders."""
    return [*sorted(folder.glob(NAMES)), *folder.glob(TRAINED)]
