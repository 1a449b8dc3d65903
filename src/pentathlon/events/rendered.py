"""What the tasks share whose pictures our own renderers make."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from pentathlon.worlds.rendering import RendererInfo

REHEARSAL: Final = {"rehearse": True}
"""The option of every event's ``make_task`` that shrinks a task to seconds."""


class Rendered(Protocol):
    """A protocol that says who renders, and how."""

    @property
    def renderer(self) -> str:
        """Name of the renderer."""
        ...

    @property
    def render_setting(self) -> str:
        """How carefully it renders."""
        ...


ProtocolType = TypeVar("ProtocolType", bound=Rendered)


class RenderedTask(Generic[ProtocolType]):
    """A task that tells which renderer made its pictures."""

    protocol: ProtocolType

    @property
    def renderer(self) -> RendererInfo:
        """What ``run.json`` records about the eyes."""
        from pentathlon.worlds.rendering import renderer_info

        return renderer_info(self.protocol.renderer, self.protocol.render_setting)
