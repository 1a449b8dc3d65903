"""Models in the layout of ``transformers``: a folder with ``config.json``, weights and perhaps a tokenizer."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from pentathlon.core.errors import DataError
from pentathlon.models.encoders.tensor_names import fold_names
from pentathlon.models.weights import resolve_weights

_TOKENIZER_FILES = ("tokenizer.json", "vocab.json", "vocab.txt", "spiece.model")


class PretrainedFolder(NamedTuple):
    """A folder and what kind of model it says that it holds."""

    path: Path
    model_type: str


def find_folder(weights: str, known: Mapping[str, Any]) -> PretrainedFolder:
    """Finds the folder of a path or hub id that holds one of the ``known`` kinds of model.

    Raises:
        DataError: when it is a file, no such folder, or one of another kind.
    """
    path = resolve_weights(weights)
    if not path.is_dir():
        raise DataError(f"Expected a folder that save_pretrained wrote, got the file {path}. Give the whole folder.")
    model_type = read_model_type(path)
    require_known(path, model_type, known)
    return PretrainedFolder(path, model_type)


def require_known(path: Path, model_type: str, known: Mapping[str, Any]) -> None:
    """Checks the kind of model in a folder."""
    if model_type not in known:
        names = ", ".join(sorted(known))
        raise DataError(f"{path} holds a {model_type!r} model: expected one of {names}. Choose such weights.")


def read_model_type(folder: Path) -> str:
    """Reads ``model_type`` from the folder's ``config.json``."""
    path = folder / "config.json"
    if not path.is_file():
        raise DataError(f"Expected config.json in {folder}, got none. Give a folder that save_pretrained wrote.")
    try:
        return str(json.loads(path.read_text())["model_type"])
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(f"Expected JSON with 'model_type' in {path}, got something else ({error}).") from error


def load_network(folder: Path, class_name: str, **options: Any) -> Any:
    """Loads all tensors of a class of ``transformers`` in full precision.

    Raises:
        DataError: when there are no weights, tensors are missing, or there are more layers than the model has.
    """
    import torch
    import transformers

    cls = getattr(transformers, class_name)
    try:
        with _quiet():
            model, info = cls.from_pretrained(
                str(folder), output_loading_info=True, local_files_only=True, dtype=torch.float32, **options
            )
    except Exception as error:  # missing, torn, of other shapes or no plain tensors: each raises another type
        raise DataError(
            f"Expected weights in {folder}, got none that can be read ({type(error).__name__}). Copy the whole folder."
        ) from error
    if info["missing_keys"]:
        missing = info["missing_keys"]
        raise DataError(f"{folder} lacks {len(missing)} tensors. Use a complete checkpoint.\n{fold_names(missing)}")
    if extra := _extra_layers(model, info["unexpected_keys"]):
        raise DataError(
            f"{folder} adds {len(extra)} tensors of layers that its config.json does not have. Mend config.json, or "
            f"copy the whole folder again.\n{fold_names(extra)}"
        )
    return model


def _extra_layers(model: Any, unexpected: list[str]) -> list[str]:
    """Those that are named as the model's own but for their numbers; heads and other towers are left out on purpose."""

    def pattern(name: str) -> str:
        return re.sub(r"\d+", "*", name.removeprefix(f"{model.base_model_prefix}."))

    own = {pattern(name) for name in model.state_dict()}
    return sorted(name for name in unexpected if pattern(name) in own)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keeps the library from listing, line by line, what is left out on purpose."""
    from transformers.utils import logging as library

    before = library.get_verbosity()
    library.set_verbosity(logging.ERROR)
    try:
        yield
    finally:
        library.set_verbosity(before)


def load_tokenizer(folder: Path) -> Any:
    """Loads the folder's own tokenizer.

    Raises:
        DataError: when there is none or it cannot be read.
    """
    import transformers

    # Without any of these the library makes a tokenizer that knows no word, and says nothing.
    if not any((folder / name).is_file() for name in _TOKENIZER_FILES):
        raise DataError(f"Expected a tokenizer in {folder}, got none of {_TOKENIZER_FILES}. Copy the whole folder.")
    try:
        return transformers.AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
    except Exception as error:  # each tokenizer raises what its own library does
        raise DataError(
            f"Expected a tokenizer in {folder}, could not load one ({type(error).__name__}). Copy the whole folder."
        ) from error
