"""Pictures of many cameras over many scenes in one call, as tensors that the kernels write."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import torch

from pentathlon.core.errors import UsageError
from pentathlon.worlds.rendering.gpu.code import Argument, Code, Source, open_code
from pentathlon.worlds.rendering.gpu.scenes import SceneTable
from pentathlon.worlds.rendering.kernels.arrays import CAMERA_FLOATS
from pentathlon.worlds.rendering.raycaster import SAMPLE_OFFSETS
from pentathlon.worlds.rendering.settings import RenderSetting

_FOLDER: Final = Path(__file__).parent / "source"
_FILES: Final = tuple(_FOLDER / f"{name}.cu" for name in ("types", "tree", "shading", "seeing", "pictures"))
FULL: Final = Source(_FILES, ("rays", "render", "smooth"), ("FULL=1",))
PLAIN: Source = Source(_FILES, ("rays", "trace_hits", "shade_hits", "finish_clear"), ("FULL=0",))
THREADS: Final = 128
_TILES: Final = THREADS // 32  # of a block
_MOST_IN_ROW: Final = 32768  # cameras in the grid's second direction
_WORK_RAYS: Final = 1 << 26  # between kernels, at most, 20 bytes each
_CLEAR_BLOCKS: Final = 1056


@dataclass(frozen=True)
class Pictures:
    """What many cameras see; fields that were not asked for are None.

    Attributes:
        rgb: uint8 [N, H, W, 3].
        depth_m: float32 [N, H, W], as in `Frame`.
        geom_id: int32 [N, H, W], as in `Frame`.
    """

    rgb: torch.Tensor | None
    depth_m: torch.Tensor | None
    geom_id: torch.Tensor | None

    @classmethod
    def empty(cls, count: int, size: tuple[int, int], device: torch.device, *, rgb: bool = True) -> Pictures:
        """Returns pictures of (width, height) to render into; their contents are arbitrary."""
        shape = (count, size[1], size[0])
        return cls(
            torch.empty(*shape, 3, dtype=torch.uint8, device=device) if rgb else None,
            torch.empty(shape, device=device),
            torch.empty(shape, dtype=torch.int32, device=device),
        )


class BatchEyes:
    """Sees the scenes of a table.

    Args:
        table: the scenes.
        setting: one sample for each pixel and no shadows is fastest by far, where scenes are plain.
    """

    def __init__(self, table: SceneTable, setting: RenderSetting) -> None:
        self.table, self.setting = table, setting
        self._codes: dict[Source, Code] = {}
        offsets = SAMPLE_OFFSETS.get(setting.samples_per_pixel, ())
        self._offsets = torch.tensor(offsets, dtype=torch.float32, device=table.device)
        self._work: dict[str, torch.Tensor] = {}

    def render(
        self, cameras: torch.Tensor, scene_of: torch.Tensor, size: tuple[int, int], out: Pictures | None = None
    ) -> Pictures:
        """Fills pictures with what cameras see; nothing waits for the device.

        Args:
            cameras: float32 [N, 17], rows as `cameras.pose_row` makes them for pictures of this size.
            scene_of: int32 [N], the number of each camera's scene in the table.
            size: width and height in pixels.
            out: to write into. Without `rgb`, nothing is shaded.
        """
        if cameras.dtype != torch.float32 or cameras.shape != (len(scene_of), CAMERA_FLOATS):
            raise UsageError(
                f"Expected float32 cameras [{len(scene_of)}, {CAMERA_FLOATS}], got {tuple(cameras.shape)}."
            )
        if scene_of.dtype != torch.int32:
            raise UsageError(f"Expected the scenes' numbers as int32, got {scene_of.dtype}.")
        pictures = Pictures.empty(len(cameras), size, self.table.device) if out is None else out
        setting = self.setting
        simple = self.table.plain and setting.samples_per_pixel == 1 and not (setting.shadows or setting.reflections)
        each = max(1, min(len(cameras), _WORK_RAYS // (size[0] * size[1])))
        for first in range(0, len(cameras), each):
            part = slice(first, first + each)
            tensors = (pictures.rgb, pictures.depth_m, pictures.geom_id)
            chunk = Pictures(*(None if tensor is None else tensor[part] for tensor in tensors))
            view = _View(self.table.rows, cameras[part], scene_of[part], size)
            if chunk.rgb is None:
                self._code(PLAIN if simple else FULL).launch(
                    "rays", view.grid, THREADS, [*view.arguments, chunk.depth_m, chunk.geom_id]
                )
            elif simple:
                self._render_plain(view, chunk)
            else:
                self._render_full(view, chunk)
        return pictures

    def _render_plain(self, view: _View, out: Pictures) -> None:
        code, pixels = self._code(PLAIN), view.pixels
        hits = self._room("hits", 4 * pixels, torch.float32)
        clear = self._room("clear", 1 + pixels, torch.int32)
        clear[:1].zero_()
        textures = int(self.setting.textures)
        code.launch("trace_hits", view.grid, THREADS, [*view.arguments, hits])
        code.launch(
            "shade_hits", view.grid, THREADS,
            [*view.arguments, textures, hits, out.rgb, out.depth_m, out.geom_id, clear],
        )  # fmt: skip
        width, height = view.size
        code.launch(
            "finish_clear", (_CLEAR_BLOCKS if self.table.device.type == "cuda" else 1,), THREADS,
            [view.rows, view.cameras, view.scene_of, width, height, textures, hits, out.rgb, clear],
        )  # fmt: skip

    def _render_full(self, view: _View, out: Pictures) -> None:
        code, setting = self._code(FULL), self.setting
        options = [int(setting.shadows), int(setting.reflections), int(setting.textures)]
        shade = self._room("shade", view.pixels, torch.uint8) if setting.samples_per_pixel > 1 else None
        code.launch(
            "render", view.grid, THREADS, [*view.arguments, *options, out.rgb, out.depth_m, out.geom_id, shade]
        )  # fmt: skip
        if shade is not None:
            more: list[Argument] = [setting.edge_contrast // 2, self._offsets, len(self._offsets)]
            code.launch("smooth", view.grid, THREADS, [*view.arguments, *options, out.rgb, out.geom_id, shade, *more])

    def _code(self, source: Source) -> Code:
        if source not in self._codes:
            self._codes[source] = open_code(source, self.table.device)
        return self._codes[source]

    def _room(self, name: str, count: int, kind: torch.dtype) -> torch.Tensor:
        """Returns work space that is kept from call to call."""
        if name not in self._work or self._work[name].numel() < count:
            self._work[name] = torch.empty(count, dtype=kind, device=self.table.device)
        return self._work[name]


@dataclass(frozen=True)
class _View:
    """What every kernel of a picture is told."""

    rows: torch.Tensor
    cameras: torch.Tensor
    scene_of: torch.Tensor
    size: tuple[int, int]

    @property
    def pixels(self) -> int:
        """Of all pictures."""
        return len(self.cameras) * self.size[0] * self.size[1]

    @property
    def grid(self) -> tuple[int, int, int]:
        """Blocks: of tiles of 8 x 4 pixels, then cameras."""
        tiles = -(-self.size[0] // 8) * -(-self.size[1] // 4)
        count = len(self.cameras)
        return -(-tiles // _TILES), min(count, _MOST_IN_ROW), -(-count // _MOST_IN_ROW)

    @property
    def arguments(self) -> list[Argument]:
        """The first arguments of most kernels."""
        return [self.rows, self.cameras, self.scene_of, len(self.cameras), *self.size]
