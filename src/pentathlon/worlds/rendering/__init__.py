"""Eyes: renders any MuJoCo model by ray casting, without OpenGL, which stays available as a reference."""

from pentathlon.worlds.rendering.cameras import CameraPose
from pentathlon.worlds.rendering.eyes import Eyes, RendererInfo, open_eyes, renderer_info
from pentathlon.worlds.rendering.frame import Frame
from pentathlon.worlds.rendering.opengl.eyes import OpenGLEyes
from pentathlon.worlds.rendering.opengl.probe import opengl_works
from pentathlon.worlds.rendering.raycaster import Raycaster
from pentathlon.worlds.rendering.settings import FAST, FINE, RenderSetting

__all__ = [
    "FAST",
    "FINE",
    "CameraPose",
    "Eyes",
    "Frame",
    "OpenGLEyes",
    "Raycaster",
    "RenderSetting",
    "RendererInfo",
    "open_eyes",
    "opengl_works",
    "renderer_info",
]
