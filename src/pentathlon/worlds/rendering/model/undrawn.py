"""Says once, by name, what of a model the ray caster does not draw."""

from __future__ import annotations

import logging
from typing import Final

import mujoco
import numpy as np

_log = logging.getLogger(__name__)
_FLAG: Final = mujoco.mjtVisFlag
# Flags of an MjvOption that are followed, or that change nothing in a picture without a mouse.
_FOLLOWED: Final = {
    int(flag)
    for flag in (
        _FLAG.mjVIS_TEXTURE, _FLAG.mjVIS_TENDON, _FLAG.mjVIS_RANGEFINDER, _FLAG.mjVIS_STATIC, _FLAG.mjVIS_SKIN,
        _FLAG.mjVIS_FLEXVERT, _FLAG.mjVIS_FLEXEDGE, _FLAG.mjVIS_FLEXFACE, _FLAG.mjVIS_FLEXSKIN, _FLAG.mjVIS_PERTOBJ,
        _FLAG.mjVIS_PERTFORCE, _FLAG.mjVIS_SELECT,
    )
}  # fmt: skip
_said: set[str] = set()


def undrawn(model: mujoco.MjModel, option: mujoco.MjvOption) -> list[str]:
    """Returns the names of what a MuJoCo model asks for and the ray caster does not draw."""
    names = [f"image light {_name(model.light(i).name, i)}" for i in _image_lights(model)]
    names += [f"texture of tendon {_name(model.tendon(i).name, i)}" for i in _textured_tendons(model)]
    endless = (model.geom_type == mujoco.mjtGeom.mjGEOM_PLANE) & (model.geom_size[:, :2] == 0).all(axis=1)
    if endless.any() and (model.tex_type == mujoco.mjtTexture.mjTEXTURE_SKYBOX).any():
        names.append(
            f"haze at the horizon of geom {_name(model.geom(int(np.argmax(endless))).name, np.argmax(endless))}"
        )
    flags = [i for i, on in enumerate(option.flags[: len(_FLAG.__members__) - 1]) if on and i not in _FOLLOWED]
    return names + [f"option {_FLAG(i).name}" for i in flags]


def say_undrawn(model: mujoco.MjModel, option: mujoco.MjvOption) -> None:
    """Writes one line into the log, once in a process for the same names."""
    names = undrawn(model, option)
    sentence = f"The ray caster does not draw: {', '.join(names)}."
    if names and sentence not in _said:
        _said.add(sentence)
        _log.warning(sentence)


def _name(name: str, number: object) -> str:
    return repr(name) if name else str(number)


def _image_lights(model: mujoco.MjModel) -> list[int]:
    return [int(i) for i in np.flatnonzero(model.light_type == mujoco.mjtLightType.mjLIGHT_IMAGE)]


def _textured_tendons(model: mujoco.MjModel) -> list[int]:
    role = mujoco.mjtTextureRole.mjTEXROLE_RGB
    spatial = model.wrap_type[model.tendon_adr] != mujoco.mjtWrap.mjWRAP_JOINT
    dressed = np.flatnonzero(spatial & (model.tendon_matid >= 0))
    return [int(i) for i in dressed if model.mat_texid[model.tendon_matid[i], role] >= 0]
