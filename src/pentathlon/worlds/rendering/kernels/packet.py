"""The layout of a packet: one float32 buffer whose rows hold a value for each of sixteen lanes.

All rows lie in one buffer at constant offsets, so that LLVM can prove them apart and vectorise the loops over lanes.
The first 21 rows are Embree's RTCRayHit16; `SHADOW` starts an RTCRay16. Both must lie on 64 bytes.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.core.cpu import CPUTargetOptions
from numba.extending import intrinsic

LANES: Final = 16

ORIGIN_X, ORIGIN_Y, ORIGIN_Z, T_NEAR = 0, 16, 32, 48
DIR_X, DIR_Y, DIR_Z, TIME = 64, 80, 96, 112
T_FAR, MASK, RAY_ID, FLAGS = 128, 144, 160, 176
NG_X, NG_Y, NG_Z, BARY_U, BARY_V = 192, 208, 224, 240, 256
PRIMITIVE, GEOMETRY, INSTANCE, INSTANCE_PRIMITIVE = 272, 288, 304, 320

PIXEL_X, PIXEL_Y = 336, 352
POINT_X, POINT_Y, POINT_Z = 368, 384, 400
NORMAL_X, NORMAL_Y, NORMAL_Z = 416, 432, 448
VIEW_X, VIEW_Y, VIEW_Z = 464, 480, 496
COLOR_R, COLOR_G, COLOR_B, ALPHA = 512, 528, 544, 560
TEXTURE_R, TEXTURE_G, TEXTURE_B = 576, 592, 608
EMISSION, SPECULAR, SHININESS, REFLECTANCE = 624, 640, 656, 672
LIT_R, LIT_G, LIT_B = 688, 704, 720  # sum over lights
LAMP_R, LAMP_G, LAMP_B = 736, 752, 768  # one light
FRONT_R, FRONT_G, FRONT_B = 784, 800, 816  # transparent layers, nearest on top
BEHIND_R, BEHIND_G, BEHIND_B = 832, 848, 864  # transparent layers, farthest on top
SOLID_R, SOLID_G, SOLID_B = 880, 896, 912  # what lies behind all layers
CLEAR, WEIGHT, DEPTH = 928, 944, 960  # product of (1 - alpha); share of the ray in SOLID; metres, 0 for none
LIGHT_X, LIGHT_Y, LIGHT_Z, LIGHT_DISTANCE = 976, 992, 1008, 1024
LAMP_SHARE = 1040
SHADOW = 1056  # 12 rows
COSINE, LOBE = 1248, 1264  # of the angle between normal and light; squared, between normal and the light's highlight
SHADE = 1280  # brightness before textures, by which edges are found
# Rows that hold int32: read by `bits`, written by `put`.
ACTIVE, KIND, FIRST_OBJECT, PLANE, SHADOW_VALID = 1296, 1312, 1328, 1344, 1360
OBJECT, CORNER, UNDRESSED = 1376, 1392, 1408  # the object met or -1; column 1 of its triangle; what is still to do
SAMPLED, MAPPING, FACE = 1424, 1440, 1456  # texture or -1; how coordinates are found; cube face, -1 for 2-D textures
LEVEL, LEVEL_FIRST, LEVEL_LAST = 1472, 1488, 1504  # chosen; its first texel; the coarsest
TEXEL = 1520  # 4 rows: places of the four nearest texels, then the texels
# Texture coordinates: two rows of a matrix and the texture's size, then what comes of them.
MAP, TEXELS_WIDE, TEXELS_HIGH = 1584, 1712, 1728  # MAP has 8 rows
TEXTURE_U, TEXTURE_V, TEXTURE_LOD, TEXTURE_A = 1744, 1760, 1776, 1792
RIGHT, DOWN, LEVEL_SHARE = 1808, 1824, 1840
LIMIT = 1856  # of light before textures: 1 / WEIGHT, as a mirror weakens what it shows before that is clamped
# A narrower ray-hit for processors without sixteen lanes, and its valid lanes: room for 21 rows of eight.
NARROW, NARROW_VALID = 1872, 2048
PART, ROW = 2064, 2080  # int32: of the part met or -1; of its triangle or quadric in the scene's arrays
SPOT_X, SPOT_Y = 2096, 2112  # the samples' places, counted from a corner that all lanes share
PACKET_FLOATS: Final = 2128

# What a lane's ray has met (row KIND).
KIND_NONE: Final = 0  # nothing, or nothing more
KIND_PASSED: Final = 1  # a surface that is not seen from this side
KIND_SOLID: Final = 2
KIND_CLEAR: Final = 3  # a transparent surface
KIND_MIRROR: Final = 4
KIND_SKY: Final = 5

FASTMATH: Final = {"reassoc", "contract", "arcp", "nsz"}  # infinities and NaN keep their meaning
_OPTIONS: Final[dict[str, Any]] = {
    "fastmath": FASTMATH, "error_model": "numpy", "nogil": True, "boundscheck": False,
}  # fmt: skip
# Without numba's reference counts: they are atomic operations at every use of an array, most of a packet's time.
# A kernel then cannot allocate, which none should. A numba without this private option works, slowly.
if hasattr(CPUTargetOptions, "_nrt"):
    _OPTIONS["_nrt"] = False
_INLINED_OPTIONS: Final[dict[str, Any]] = {
    "forceinline": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True, **_OPTIONS,
}  # fmt: skip
kernel: Any = njit(cache=True, **_OPTIONS)
exact_kernel: Any = njit(cache=True, **{**_OPTIONS, "fastmath": False})
inlined: Any = njit(**_INLINED_OPTIONS)


pointer_type: Any = types.CPointer


def _pointer_to(element: types.Type) -> Any:
    @intrinsic
    def pointer(typing_context: Any, address: Any) -> Any:
        signature = pointer_type(element)(types.int64)

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

        return signature, generate

    return pointer


# What lies at an address, in memory that no NumPy array stands for.
bytes_at = _pointer_to(types.uint8)
floats_at = _pointer_to(types.float32)
ints_at = _pointer_to(types.int32)


_declared: Any = cgutils.get_or_insert_function


def _lanes_at(call: tuple[Any, Any, Any, Any], which: int, element: Any, width: int) -> Any:
    """Returns a pointer to so many lanes, from the element that an argument of an intrinsic's call names."""
    context, builder, signature, arguments = call
    data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
    return builder.bitcast(builder.gep(data, [arguments[which]]), ir.VectorType(element, width).as_pointer())


def _copy_of(width: int) -> Any:
    @intrinsic
    def copy(typing_context: Any, s: Any, to: Any, start: Any) -> Any:
        """Copies lanes as one vector: LLVM unrolls a loop over so few before it could vectorise it."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            call = (context, builder, signature, arguments)
            target, source = (_lanes_at(call, which, ir.FloatType(), width) for which in (1, 2))
            builder.store(builder.load(source, align=4), target, align=4)
            return context.get_dummy_value()

        return types.void(s, types.int64, types.int64), generate

    return copy


def _extreme_of(name: str, width: int = LANES) -> Any:
    @intrinsic
    def extreme(typing_context: Any, s: Any, row: Any) -> Any:
        """Returns a row's largest or smallest int32; LLVM would unroll a loop into single comparisons."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            call = (context, builder, signature, arguments)
            lanes = builder.load(_lanes_at(call, 1, ir.IntType(32), width), align=4)
            reduction = ir.FunctionType(ir.IntType(32), [lanes.type])
            full_name = f"llvm.vector.reduce.{name}.v{width}i32"
            return builder.call(_declared(builder.module, reduction, full_name), [lanes])

        return types.int32(s, types.int64), generate

    return extreme


# Of a row's int32. Floats above zero are ordered as their bits are.
largest, smallest = _extreme_of("smax"), _extreme_of("smin")
all_bits = {width: _extreme_of("or", width) for width in (4, 8)}
copy_lanes = {width: _copy_of(width) for width in (4, 8)}


def _keeper() -> Any:
    @intrinsic
    def kept(typing_context: Any, value: Any) -> Any:
        """Returns a value as it is, by LLVM's `freeze`: what is chosen between it and another is then stored whole.

        Otherwise x86's masked stores are used, which take AMD's processors some twenty cycles.
        """

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            frozen = ir.instructions.Instruction(builder.block, arguments[0].type, "freeze", arguments)
            builder._insert(frozen)
            return frozen

        return value(value), generate

    return kept


_kept = _keeper()


@inlined
def floor(x: Any) -> Any:
    """Returns the int32 below a float32; `math.floor` would be a call, and end vectorisation.

    The difference of two int32 is an int64 in numba, and those AVX2 brings back to floats one by one.
    """
    whole = np.int32(x)
    return np.int32(whole - np.int32(x < np.float32(whole)))


@inlined
def bits(s: Any, i: Any) -> Any:
    """Returns an element as an int32. A second array over the same memory would end vectorisation."""
    return np.float32(s[i]).view(np.int32)


@inlined
def put(s: Any, i: Any, value: Any) -> None:
    """Writes an int32 into an element."""
    s[i] = np.int32(value).view(np.float32)


@inlined
def choose(condition: Any, value: Any, otherwise: Any) -> Any:
    """Returns one of two values, both of them computed: a load behind a branch would end vectorisation."""
    kept = _kept(otherwise)
    return value if condition else kept


@inlined
def any_positive(s: Any, row: Any) -> Any:
    """Tells whether a float of the row is above zero, by its bits."""
    return largest(s, row) > 0


def new_packet() -> npt.NDArray[np.float32]:
    """Returns a packet buffer on a 64-byte border, as Embree demands, with the constant rows filled in."""
    memory = np.zeros(PACKET_FLOATS + LANES, np.float32)
    start = (-memory.ctypes.data % 64) // 4
    packet = memory[start : start + PACKET_FLOATS]
    packet.view(np.int32)[MASK : MASK + LANES] = -1
    packet.view(np.int32)[SHADOW + MASK : SHADOW + MASK + LANES] = -1
    return packet
