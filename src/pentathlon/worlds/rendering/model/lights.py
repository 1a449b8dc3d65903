"""Turns the headlight and the model's lights into the rows that kernels read."""

from __future__ import annotations

import math
from typing import Final

import mujoco
import numpy as np
import numpy.typing as npt

from pentathlon.core.errors import UnknownIdError, UsageError
from pentathlon.worlds.rendering.kernels import arrays as a
from pentathlon.worlds.rendering.model.watch import Watch
from pentathlon.worlds.rendering.settings import RenderSetting

_TYPE: Final = mujoco.mjtLightType
_NO_CONE: Final = -2.0  # below any cosine
_UNSEEN: Final = 1 / 4096  # of full brightness: less than a tenth of the smallest step of a picture
_AMBIENT_WITHOUT_LIGHTS: Final = 0.3
BOUNDS_PREFIX: Final = "light_bounds/"


class LightTable:
    """Keeps the `lights` rows of `SceneArrays` equal to the model's. Row 0 is the headlight's where it is active.

    A numeric field `light_bounds/NAME` of six numbers, the lower and the upper corner of a box in the world, says that
    walls keep the light of that name inside; twelve or more are boxes side by side, as of a room round a corner. While
    the light is in one of its boxes and casts no shadows, it shines only there: it has a row for each.
    """

    def __init__(self, model: mujoco.MjModel, setting: RenderSetting) -> None:
        self._model = model
        self._casts = _casting(model, setting)
        self._boxes = _boxes(model)
        self._watch = Watch([
            model.light_active, model.light_type, model.light_castshadow, model.light_attenuation, model.light_cutoff,
            model.light_exponent, model.light_ambient, model.light_diffuse, model.light_specular,
            model.light_bulbradius,
        ])  # fmt: skip
        self._seen_headlight: tuple[object, ...] = ()
        self._seen_places = b""
        self._lit: npt.NDArray[np.intp] = np.zeros(0, np.intp)  # the light of each row
        self._low, self._high = np.zeros((0, 3)), np.zeros((0, 3))  # the box of each row
        self._leads = np.zeros(0, bool)  # whether a row is the first of its light
        self._first = 0
        self.has_headlight = False
        self.rows = np.zeros((0, a.LIGHT_FLOATS), np.float32)

    @property
    def ambient(self) -> float:
        """Light from nowhere, which MuJoCo adds where no lamp is lit."""
        return 0.0 if len(self.rows) else _AMBIENT_WITHOUT_LIGHTS

    def update(self, data: mujoco.MjData) -> None:
        """Reads the lights' places, and everything else about them if it changed."""
        headlight = self._model.vis.headlight
        look = (headlight.active, *headlight.ambient, *headlight.diffuse, *headlight.specular)
        places = data.light_xpos.tobytes() + data.light_xdir.tobytes()
        if look != self._seen_headlight or self._watch.changed():
            self._watch.remember()
            self._seen_headlight = look
            self._rebuild()
        elif places == self._seen_places:
            return
        self._seen_places = places
        if len(self._lit):
            position, axis = data.light_xpos[self._lit], data.light_xdir[self._lit]
            rows = self.rows[self._first :]
            rows[:, :3] = np.where(rows[:, 3:4] > 0, position, -axis)
            rows[:, 4:7] = axis
            self._confine(rows, position)

    def _confine(self, rows: npt.NDArray[np.float32], position: npt.NDArray[np.float64]) -> None:
        """Writes the boxes of lights that are within them and cast no shadows; of others, the first row is endless."""
        within = ((self._low <= position) & (position <= self._high)).all(axis=1)
        confined = np.zeros(self._model.nlight, bool)
        confined[self._lit[within]] = True
        kept = (confined[self._lit] & (rows[:, a.LIGHT_SHADOW] == 0))[:, None]
        endless = np.where(self._leads, np.inf, -np.inf)[:, None]
        rows[:, a.LIGHT_LOW : a.LIGHT_HIGH] = np.where(kept, self._low, -endless)
        rows[:, a.LIGHT_HIGH :] = np.where(kept, self._high, endless)

    def aim_headlight(self, camera: npt.NDArray[np.float32]) -> None:
        """Lets the headlight shine along the camera's view."""
        if self.has_headlight:
            self.rows[0, :3] = camera[a.CAMERA_BACK : a.CAMERA_BACK + 3]

    def _rebuild(self) -> None:
        model = self._model
        supported = model.light_type != _TYPE.mjLIGHT_IMAGE
        lit = np.flatnonzero(model.light_active.astype(bool) & supported)
        self._lit = np.repeat(lit, np.array([len(self._boxes[light]) for light in lit], np.intp))
        corners = np.concatenate([self._boxes[light] for light in lit]) if len(lit) else np.zeros((0, 2, 3))
        self._low, self._high = corners[:, 0], corners[:, 1]
        self._leads = np.diff(self._lit, prepend=-1) > 0
        self.has_headlight = bool(model.vis.headlight.active)
        self._first = int(self.has_headlight)
        rows = np.zeros((self._first + len(self._lit), a.LIGHT_FLOATS), np.float32)
        rows[:, 7], rows[:, 9] = _NO_CONE, 1.0
        rows[:, a.LIGHT_LOW : a.LIGHT_HIGH], rows[:, a.LIGHT_HIGH :] = -np.inf, np.inf
        if self.has_headlight:
            headlight = model.vis.headlight
            rows[0, 12:21] = np.concatenate([headlight.ambient, headlight.diffuse, headlight.specular])
        for row, light in zip(rows[self._first :], self._lit, strict=True):
            self._fill(row, int(light))
        self.rows = rows

    def _fill(self, row: npt.NDArray[np.float32], light: int) -> None:
        model = self._model
        kind = model.light_type[light]
        if kind != _TYPE.mjLIGHT_DIRECTIONAL:
            row[3] = 1.0
            row[9:12] = model.light_attenuation[light]
        cutoff = float(model.light_cutoff[light])
        if kind == _TYPE.mjLIGHT_SPOT and cutoff <= 90:  # OpenGL knows cones up to 90 degrees, and none
            row[7], row[8] = math.cos(math.radians(cutoff)), model.light_exponent[light]
        row[12:15], row[15:18] = model.light_ambient[light], model.light_diffuse[light]
        row[18:21] = model.light_specular[light]
        row[7] = max(row[7], _shown_cosine(row))
        row[21] = float(self._casts[light] and model.light_castshadow[light])
        row[22] = model.light_bulbradius[light]


def _shown_cosine(row: npt.NDArray[np.float32]) -> float:
    """Returns the cosine to a spot's axis below which its light is too weak to show, at any distance."""
    exponent, nearest = float(row[a.LIGHT_EXPONENT]), float(row[a.LIGHT_ATTENUATION])
    if exponent <= 0 or nearest <= 0:  # the same everywhere in its cone, or without limit close by
        return _NO_CONE
    brightest = float(row[12:21].reshape(3, 3).sum(axis=0).max()) / nearest
    return math.pow(_UNSEEN / max(brightest, _UNSEEN), 1 / exponent)


def _boxes(model: mujoco.MjModel) -> list[npt.NDArray[np.float64]]:
    """Returns the lower and upper corners of each light's boxes, [boxes, 2, 3], one endless where none is named."""
    boxes = [np.array([[[-np.inf] * 3, [np.inf] * 3]])] * model.nlight
    for field in map(model.numeric, range(model.nnumeric)):
        if not field.name.startswith(BOUNDS_PREFIX):
            continue
        if field.data.size % 6:
            raise UsageError(
                f"Expected six numbers for each box in the model's numeric field {field.name!r}, got {field.data.size}."
            )
        corners = field.data.reshape(-1, 2, 3).copy()
        # Boxes side by side share a face, where the light would shine twice.
        corners[:, 1] = np.nextafter(corners[:, 1].astype(np.float32), np.float32(-np.inf))
        boxes[_light_id(model, field.name.removeprefix(BOUNDS_PREFIX))] = corners
    return boxes


def _light_id(model: mujoco.MjModel, name: str) -> int:
    names = [model.light(i).name for i in range(model.nlight)]
    if name not in names:
        raise UnknownIdError("light", name, [known for known in names if known])
    return names.index(name)


def _casting(model: mujoco.MjModel, setting: RenderSetting) -> npt.NDArray[np.bool_]:
    """Returns which lights the setting lets cast shadows."""
    if setting.shadow_lights is None:
        return np.full(model.nlight, setting.shadows)
    chosen = np.zeros(model.nlight, bool)
    chosen[[_light_id(model, name) for name in setting.shadow_lights]] = setting.shadows
    return chosen
