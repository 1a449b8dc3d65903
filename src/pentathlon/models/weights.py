"""Finds weights by reference (a file, a folder, a hub id or a built-in name) and reads them without running code."""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pentathlon.core.errors import DataError, EntrantError, MissingDependencyError, UnknownIdError

if TYPE_CHECKING:
    from torch import Tensor

BUILTIN_FOLDER = Path(__file__).parent / "builtin"
IMAGE_TEXT_FILES = tuple(str(BUILTIN_FOLDER / f"{name}.safetensors") for name in ("dense-houses", "minilm-l6"))
"""The built-in image-text network: pictures and words."""


@dataclass(frozen=True)
class Checkpoint:
    """Tensors by name, and the text that a safetensors file carries beside them."""

    path: Path
    tensors: Mapping[str, Tensor]
    metadata: Mapping[str, str]


def resolve_weights(reference: str) -> Path:
    """Returns the local file or folder that ``reference`` names, fetching a hub id if it must.

    Raises:
        UnknownIdError: when it is neither a path, nor a built-in, nor shaped like a hub id.
        EntrantError: when the hub cannot be reached and holds no local copy.
    """
    path = Path(reference).expanduser()
    if path.exists():
        return path
    builtin = BUILTIN_FOLDER / f"{reference}.safetensors"
    if builtin.exists():
        return builtin
    if reference.count("/") == 1 and not reference.startswith((".", "/", "~")) and not path.suffix:
        return _fetch(reference)
    raise UnknownIdError(
        "weights",
        reference,
        builtin_names(),
        hint="Or give a file, a folder or a hub id such as 'facebook/vit-mae-base'.",
    )


def builtin_names() -> tuple[str, ...]:
    """Names of the weights shipped with the package."""
    return tuple(sorted(path.stem for path in BUILTIN_FOLDER.glob("*.safetensors")))


def _fetch(hub_id: str) -> Path:
    from huggingface_hub import snapshot_download

    try:
        folder = Path(snapshot_download(hub_id, allow_patterns=["*.json", "*.safetensors", "*.txt", "*.model"]))
        # Some older models have no safetensors; the library reads their pickles as plain tensors only.
        if not any(folder.glob("*.safetensors")):
            snapshot_download(hub_id, allow_patterns=["pytorch_model*.bin", "pytorch_model*.json"])
        return folder
    except Exception as error:  # the hub's client raises a different type for each way of being offline
        raise EntrantError(
            f"Weights {hub_id!r} are not on this machine and the hub gave {type(error).__name__}. Where the hub can be "
            f"reached run: hf download {hub_id} --local-dir FOLDER; then give FOLDER instead."
        ) from error


def read_checkpoint(path: Path) -> Checkpoint:
    """Reads a ``.safetensors`` file, or a torch file of tensors in plain containers.

    Nested mappings are flattened with dots, so ``{"model": {"norm.bias": t}}`` gives ``model.norm.bias``; values
    that are no tensors are left out.

    Raises:
        DataError: when the file is missing, truncated, no weights at all, a TorchScript archive or would run code.
    """
    if not path.is_file():
        raise DataError(
            f"Expected a weights file at {path}, got {'a folder' if path.is_dir() else 'nothing'}. "
            "Give the path of a file."
        )
    if path.suffix == ".safetensors":
        return _read_safetensors(path)
    import torch

    try:
        content = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # any byte may trip the unpickler; torch's own advice is to run the file's code
        raise DataError(
            f"Expected a torch file of plain tensors at {path}, got one that cannot be read safely "
            f"({type(error).__name__}). Check that it holds weights; if it does, load it where you trust it and save "
            "its state_dict with safetensors.torch.save_file."
        ) from error
    return Checkpoint(path, flatten(content), {})


def _read_safetensors(path: Path) -> Checkpoint:
    try:
        from safetensors import safe_open
    except ImportError as error:
        raise MissingDependencyError("safetensors", "pip install safetensors") from error
    try:
        with safe_open(str(path), framework="pt") as file:
            return Checkpoint(path, {name: file.get_tensor(name) for name in file.keys()}, file.metadata() or {})  # noqa: SIM118
    except Exception as error:  # unreadable, broken, or of a type of number that torch lacks
        raise DataError(f"Expected a safetensors file at {path}, got a broken one ({error}). Copy it again.") from error


def write_checkpoint(path: Path, tensors: Mapping[str, Tensor], metadata: Mapping[str, Any]) -> None:
    """Writes tensors and JSON metadata so that ``path`` is always either the old file or the new one."""
    try:
        from safetensors.torch import save_file
    except ImportError as error:
        raise MissingDependencyError("safetensors", "pip install safetensors") from error
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    plain = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    save_file(plain, str(partial), {key: json.dumps(value, sort_keys=True) for key, value in metadata.items()})
    partial.replace(path)


def weights_hash(tensors: Mapping[str, Tensor]) -> str:
    """Returns a hash of all tensors and their names."""
    digest = hashlib.sha256()
    for name, tensor in sorted(tensors.items()):
        digest.update(name.encode())
        digest.update(tensor.cpu().contiguous().numpy().tobytes())
    return digest.hexdigest()[:32]


def flatten(content: Any, prefix: str = "") -> dict[str, Tensor]:
    """Flattens nested mappings of tensors into one."""
    import torch

    tensors: dict[str, Tensor] = {}
    if isinstance(content, torch.Tensor):
        tensors[prefix] = content
    elif isinstance(content, Mapping):
        for key, value in content.items():
            tensors |= flatten(value, f"{prefix}.{key}" if prefix else str(key))
    return tensors


def package_file(package: str, relative: str, install: str) -> Path:
    """Returns a data file of an installed package without importing it.

    Raises:
        MissingDependencyError: saying how to install the package.
    """
    found = importlib.util.find_spec(package)
    for folder in (found.submodule_search_locations or []) if found else []:
        path = Path(folder) / relative
        if path.is_file():
            return path
    raise MissingDependencyError(f"The package {package} (weights {Path(relative).name})", install)
