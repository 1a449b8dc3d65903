"""``pentathlon eyes``: look at a model through the ray caster and through another renderer, side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import tyro

from pentathlon.core import DataError, UsageError

if TYPE_CHECKING:
    import mujoco


@dataclass(frozen=True)
class Eyes:
    """Write pictures that compare the ray caster with another renderer, with the differences in numbers."""

    action: tyro.conf.Positional[Literal["compare"]]
    """Compare: one picture per model, both renderers side by side."""
    models: tyro.conf.Positional[tuple[str, ...]] = ()
    """MJCF files, or names of the gallery such as 'textures'; none with --gallery for all of it."""
    camera: str | None = None
    """Name of the camera; the model's first one, or a free one, when not given."""
    size: str = "320x240"
    """Width x height in pixels."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"])] = Path("eyes")
    """Folder for the pictures."""
    renderer: Literal["opengl", "gpu"] = "opengl"
    """What the ray caster is compared with: MuJoCo's OpenGL, or the ray caster's own kernels on a GPU."""
    device: Literal["cuda", "cpu"] = "cuda"
    """Where `--renderer gpu` runs; on the CPU it needs a C++ compiler."""
    gallery: bool = False
    """Compare the whole gallery: one scene per feature, and robots from the installed packages."""

    def run(self) -> int:
        """Writes one picture per model and prints its numbers."""
        from pentathlon.worlds.rendering.gallery.compare import compare_view, side_by_side
        from pentathlon.worlds.rendering.gallery.models import EXHIBITS

        names = (*self.models, *(EXHIBITS if self.gallery else ()))
        if not names:
            raise UsageError("Expected a model file or --gallery. Try: pentathlon eyes compare model.xml")
        size = parse_size(self.size)
        self.out.mkdir(parents=True, exist_ok=True)
        for view in self._views(names):
            comparison = compare_view(view.model, view.data, view.camera, size, self.renderer, self.device)
            picture = self.out / f"{view.name}.png"
            side_by_side(comparison, view.name).save(picture)
            print(f"{picture}: {comparison.difference or 'OpenGL does not work on this machine; ray cast only'}")
        return 0

    def _views(self, names: tuple[str, ...]) -> Iterator[View]:
        import mujoco

        from pentathlon.worlds.rendering.gallery.models import EXHIBITS, exhibit

        for name in names:
            if name in EXHIBITS or not Path(name).suffix:
                shown = exhibit(name)
                model, camera = shown.load(), self.camera or shown.camera
            else:
                model = load_model(Path(name))
                camera = self.camera or (0 if model.ncam else -1)
            data = mujoco.MjData(model)
            mujoco.mj_forward(model, data)
            yield View(Path(name).stem, model, data, camera)


class View(NamedTuple):
    """What is looked at, and through which camera."""

    name: str
    model: mujoco.MjModel
    data: mujoco.MjData
    camera: str | int | mujoco.MjvCamera


def load_model(path: Path) -> mujoco.MjModel:
    """Returns the compiled model of an MJCF file.

    Raises:
        DataError: the file is missing or MuJoCo does not accept it.
    """
    import mujoco

    if not path.is_file():
        raise DataError(f"Expected an MJCF file, found none at {str(path)!r}.")
    try:
        return mujoco.MjModel.from_xml_path(str(path))
    except ValueError as error:
        raise DataError(f"MuJoCo does not accept {str(path)!r}: {error}") from error


def parse_size(text: str) -> tuple[int, int]:
    """Returns (width, height) of a text such as `320x240`."""
    width, _, height = text.lower().partition("x")
    if not (width.isdecimal() and height.isdecimal() and int(width) and int(height)):
        raise UsageError(f"Expected a size such as 320x240, got {text!r}.")
    return int(width), int(height)
