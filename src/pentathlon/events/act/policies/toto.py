"""Agent folders in TOTO's own layout: ``hydra.yaml`` and code with ``init_agent_from_config``, taken as they are."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pentathlon.core.entrant_folder import import_from
from pentathlon.core.entrants import Floats, Observation
from pentathlon.core.errors import DataError, EntrantError
from pentathlon.core.specs import ArraySpec, InteractionSpec
from pentathlon.events.act.policies.folder import TOTO_CONFIG

JOINTS = 7
MAX_SOURCE_BYTES = 2**20
# The one type for which TOTO's evaluation encodes the picture itself and appends it to the joints.
PRECOMPUTED = "bcimage_pre"

Encode: TypeAlias = Callable[[Any], npt.NDArray[Any]]


class Config(dict[str, Any]):
    """TOTO's configuration object: items are attributes too, and what is not there is empty."""

    def __init__(self, values: Mapping[str, Any] | None = None) -> None:
        super().__init__({key: _wrap(value) for key, value in (values or {}).items()})

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name] if name in self else Config()

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


class TotoPolicy:
    """Gives a TOTO agent its three inputs and takes its one action.

    TOTO's agents have no reset, yet replay cached actions; a new episode therefore gets a newly built agent.
    """

    spec = InteractionSpec(
        observations=(
            ArraySpec("joints", (JOINTS,), "float32", "rad"),
            ArraySpec("image", (None, None, 3), "uint8"),
            ArraySpec("depth", (None, None), "float32", "m"),
        ),
        action=ArraySpec("joint_targets", (JOINTS,), "float32", "rad"),
    )

    def __init__(self, build: Callable[[], Any], encode: Encode | None = None) -> None:
        self._build = build
        self._encode = encode
        self._agent, self._transform = _agent_and_transform(build())
        self._used = False

    def reset(self) -> None:
        """Begins an episode."""
        if self._used:
            self._agent, self._transform = _agent_and_transform(self._build())
            self._used = False

    def predict(self, observation: Observation) -> Floats:
        """Returns the agent's action ``[7]``."""
        from PIL import Image

        self._used = True
        picture = self._transform(Image.fromarray(np.array(observation["image"])))
        inputs = np.array(observation["joints"], np.float64)
        if self._encode is not None:
            inputs = np.concatenate([inputs, self._encode(picture)])
        action = self._agent.predict({"inputs": inputs, "cam0c": picture, "cam0d": np.array(observation["depth"])})
        return np.asarray(action, np.float32)


def load_toto_policy(folder: Path) -> TotoPolicy:
    """Imports the folder's ``init_agent_from_config`` and builds the agent on the CPU.

    Raises:
        DataError: when the configuration is malformed or the function is not found.
    """
    config = read_config(folder)
    initialise = find_function(folder, "init_agent_from_config")

    def build() -> Any:
        return initialise(config, "cpu", None)

    if config.agent.type != PRECOMPUTED:
        return TotoPolicy(build)
    transform = find_function(folder, "load_transforms")(config)
    encode = _encoder(find_function(folder, "load_model")(config))
    return TotoPolicy(lambda: (build()[0], transform), encode)


def read_config(folder: Path) -> Config:
    """Reads ``hydra.yaml`` and points ``saved_folder`` at the folder, as TOTO's evaluation does."""
    import yaml

    try:
        values = yaml.safe_load((folder / TOTO_CONFIG).read_text("utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise DataError(
            f"{TOTO_CONFIG} is malformed: {error}. Expected the file that TOTO's training wrote."
        ) from error
    if not isinstance(values, dict) or not isinstance(values.get("agent"), dict):
        raise DataError(f"{TOTO_CONFIG}: expected a mapping with the key 'agent', got {type(values).__name__}.")
    return Config({**values, "saved_folder": str(folder)})


def find_function(folder: Path, name: str) -> Callable[..., Any]:
    """Imports the function ``name`` from the one Python file of the folder that defines it nearest to the top."""
    files = sorted(
        (file for file in folder.rglob("*.py") if _defines(file, name)), key=lambda file: (len(file.parts), file)
    )
    if not files:
        raise DataError(
            f"No Python file in the agent folder defines {name}(...). Add the code of the agent to the folder."
        )
    nearest = [file for file in files if len(file.parts) == len(files[0].parts)]
    if len(nearest) > 1:
        names = ", ".join(str(file.relative_to(folder)) for file in nearest)
        raise DataError(f"Several files of the agent folder define {name}: {names}. Keep one of them.")
    root, module = _module_of(folder, files[0])
    function: Callable[..., Any] = getattr(import_from(root, module), name)
    return function


def _module_of(folder: Path, file: Path) -> tuple[Path, str]:
    parts = list(file.relative_to(folder).with_suffix("").parts)
    # TOTO's modules name each other from the folder that holds "toto_benchmark", or from the top before it existed.
    depth = parts.index("toto_benchmark") if "toto_benchmark" in parts else 0
    for ancestor in (folder, *(folder.joinpath(*parts[:count]) for count in range(1, depth))):
        if str(ancestor) not in sys.path:
            sys.path.insert(0, str(ancestor))
    dotted = parts[depth:-1] if parts[-1] == "__init__" else parts[depth:]
    return folder.joinpath(*parts[:depth]), ".".join(dotted)


def _defines(file: Path, name: str) -> bool:
    if file.stat().st_size > MAX_SOURCE_BYTES:
        return False
    try:
        tree = ast.parse(file.read_text("utf-8"))
    except (SyntaxError, ValueError, RecursionError):
        return False
    return any(isinstance(node, ast.FunctionDef) and node.name == name for node in tree.body)


def _agent_and_transform(built: Any) -> tuple[Any, Callable[[Any], Any]]:
    if not isinstance(built, tuple) or len(built) != 2 or not callable(getattr(built[0], "predict", None)):
        raise EntrantError(
            "init_agent_from_config returned no (agent, image_transforms) with agent.predict; "
            "TOTO's own returns nothing for an agent.type that it does not know."
        )
    agent, transform = built
    return agent, transform or (lambda picture: picture)


def _encoder(model: Any) -> Encode:
    import torch

    def encode(picture: Any) -> npt.NDArray[Any]:
        with torch.no_grad():
            features = model(torch.unsqueeze(picture, dim=0))
        return np.asarray(features.cpu()).reshape(-1)

    return encode


def _wrap(value: Any) -> Any:
    return Config(value) if isinstance(value, dict) else value
