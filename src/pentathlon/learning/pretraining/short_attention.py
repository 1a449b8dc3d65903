"""Attention over at most 256 tokens as Triton kernels: all keys of a head stay on the chip, forwards and backwards.

A masked autoencoder has few tokens and narrow heads, for which general attention spends its time on moving data. Here
one program owns one head of one row: it reads the projection where it lies, adds its bias, and writes the gradient of
queries, keys and values where the projection's backward pass reads it. Importing this module needs triton.
"""

from __future__ import annotations

import math
from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor


def fits(tokens: int, dim: int) -> bool:
    """Says whether a head of ``tokens`` times ``dim`` stays on the chip of every GPU that knows bfloat16."""
    return tokens <= 256 and dim in (16, 32, 64) and tokens * dim <= 8192


@torch.library.custom_op("pentathlon::short_attention", mutates_args=())
def short_attention(qkv: Tensor, bias: Tensor, heads: int, first: int) -> tuple[Tensor, Tensor]:
    """Mixes the values of contiguous ``qkv[B, N, 3*H*D]`` plus ``bias[3*H*D]``, for the queries from ``first`` on.

    Returns:
        The mixed values ``[B, N - first, H*D]`` and, for the backward pass, the binary logarithm of each query's sum
        of exponentials ``[B, H, N - first]``.
    """
    count, tokens, width = qkv.shape
    dim = width // 3 // heads
    out = qkv.new_empty(count, tokens - first, width // 3)
    sums = qkv.new_empty(count, heads, tokens - first, dtype=torch.float32)
    keys = _power_of_two(tokens)
    block = min(64, keys)
    _forward[(count * heads,)](
        qkv, bias, out, sums, dim**-0.5 * math.log2(math.e),
        TOKENS=tokens, FIRST=first, HEADS=heads, DIM=dim, KEYS=keys, BLOCK=block,
        num_warps=4, num_stages=2 if keys > block else 1,
    )  # fmt: skip
    return out, sums


@short_attention.register_fake
def _(qkv: Tensor, bias: Tensor, heads: int, first: int) -> tuple[Tensor, Tensor]:
    count, tokens, width = qkv.shape
    out = qkv.new_empty(count, tokens - first, width // 3)
    return out, qkv.new_empty(count, heads, tokens - first, dtype=torch.float32)


@torch.library.custom_op("pentathlon::short_attention_backward", mutates_args=())
def short_attention_backward(
    d_out: Tensor, qkv: Tensor, bias: Tensor, out: Tensor, sums: Tensor, heads: int, first: int
) -> tuple[Tensor, Tensor]:
    """Returns the gradient of ``qkv`` and, for each row of the batch, that of ``bias``."""
    count, tokens, width = qkv.shape
    dim = width // 3 // heads
    d_qkv = torch.empty_like(qkv)
    d_bias = qkv.new_empty(count, width, dtype=torch.float32)
    keys = _power_of_two(tokens)
    _backward[(count * heads,)](
        qkv, bias, out, d_out.contiguous(), sums, d_qkv, d_bias, dim**-0.5, dim**-0.5 * math.log2(math.e),
        TOKENS=tokens, FIRST=first, HEADS=heads, DIM=dim, KEYS=keys, BLOCK=min(64, keys),
        num_warps=8 if keys > 64 else 4, num_stages=1,
    )  # fmt: skip
    return d_qkv, d_bias


@short_attention_backward.register_fake
def _(
    d_out: Tensor, qkv: Tensor, bias: Tensor, out: Tensor, sums: Tensor, heads: int, first: int
) -> tuple[Tensor, Tensor]:
    return torch.empty_like(qkv), qkv.new_empty(qkv.shape[0], qkv.shape[2], dtype=torch.float32)


def _save(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, Tensor]) -> None:
    qkv, bias, ctx.heads, ctx.first = inputs
    ctx.save_for_backward(qkv, bias, *output)


def _gradient(ctx: Any, d_out: Tensor, _: Tensor) -> tuple[Tensor, Tensor, None, None]:
    d_qkv, d_bias = short_attention_backward(d_out, *ctx.saved_tensors, ctx.heads, ctx.first)
    return d_qkv, d_bias.sum(0), None, None


short_attention.register_autograd(_gradient, setup_context=_save)


def _power_of_two(count: int) -> int:
    """The least block of the chip's matrix units, 16, or the next power of two that holds ``count``."""
    return max(16, 1 << (count - 1).bit_length())


@triton.jit
def _rows(
    base: tl.tensor,
    stride: tl.constexpr,
    index: tl.tensor,
    dims: tl.tensor,
    real: tl.tensor,
    bias: tl.tensor,
    kind: tl.constexpr,
) -> tl.tensor:
    """Loads rows of one head and adds the projection's bias; rows that are not real are zero."""
    loaded = tl.load(base + index[:, None] * stride + dims[None, :], mask=real[:, None], other=0.0)
    return tl.where(real[:, None], loaded + bias[None, :], 0.0).to(kind)


@triton.jit
def _forward(
    qkv: tl.tensor, bias: tl.tensor, out: tl.tensor, sums: tl.tensor, scale_log2: tl.tensor,
    TOKENS: tl.constexpr, FIRST: tl.constexpr, HEADS: tl.constexpr, DIM: tl.constexpr,
    KEYS: tl.constexpr, BLOCK: tl.constexpr,
) -> None:  # fmt: skip
    """Plain softmax over all keys, a block of queries at a time."""
    row, head = (tl.program_id(0) // HEADS).to(tl.int64), tl.program_id(0) % HEADS
    width: tl.constexpr = HEADS * DIM
    asked: tl.constexpr = TOKENS - FIRST
    kind: tl.constexpr = out.dtype.element_ty
    base = qkv + row * TOKENS * 3 * width + head * DIM
    out_base, sums_base = out + row * asked * width + head * DIM, sums + (row * HEADS + head) * asked
    dims, keys = tl.arange(0, DIM), tl.arange(0, KEYS)
    shift = bias + head * DIM + dims
    query_bias = tl.load(shift)
    key = _rows(base + width, 3 * width, keys, dims, keys < TOKENS, tl.load(shift + width), kind)
    value = _rows(base + 2 * width, 3 * width, keys, dims, keys < TOKENS, tl.load(shift + 2 * width), kind)
    for start in range(0, asked, BLOCK):
        index = start + tl.arange(0, BLOCK)
        query = _rows(base, 3 * width, FIRST + index, dims, index < asked, query_bias, kind)
        logits = tl.where((keys < TOKENS)[None, :], tl.dot(query, tl.trans(key)) * scale_log2, -float("inf"))
        top = tl.max(logits, 1)
        weights = tl.exp2(logits - top[:, None])
        total = tl.sum(weights, 1)
        mixed = tl.dot(weights.to(kind), value) / total[:, None]
        tl.store(out_base + index[:, None] * width + dims[None, :], mixed.to(kind), mask=(index < asked)[:, None])
        tl.store(sums_base + index, top + tl.log2(total), mask=index < asked)


@triton.jit
def _backward(
    qkv: tl.tensor, bias: tl.tensor, out: tl.tensor, d_out: tl.tensor, sums: tl.tensor, d_qkv: tl.tensor,
    d_bias: tl.tensor, scale: tl.tensor, scale_log2: tl.tensor,
    TOKENS: tl.constexpr, FIRST: tl.constexpr, HEADS: tl.constexpr, DIM: tl.constexpr,
    KEYS: tl.constexpr, BLOCK: tl.constexpr,
) -> None:  # fmt: skip
    """Holds keys, values and their gradients while the queries pass in blocks.

    The weights are made transposed, keys by queries: so they feed three of the five products from registers.
    """
    row, head = (tl.program_id(0) // HEADS).to(tl.int64), tl.program_id(0) % HEADS
    width: tl.constexpr = HEADS * DIM
    asked: tl.constexpr = TOKENS - FIRST
    kind: tl.constexpr = out.dtype.element_ty
    offset = row * TOKENS * 3 * width + head * DIM
    base, d_base = qkv + offset, d_qkv + offset
    out_offset, sums_base = row * asked * width + head * DIM, sums + (row * HEADS + head) * asked
    dims, keys = tl.arange(0, DIM), tl.arange(0, KEYS)
    shift = bias + head * DIM + dims
    query_bias = tl.load(shift)
    key = _rows(base + width, 3 * width, keys, dims, keys < TOKENS, tl.load(shift + width), kind)
    value = _rows(base + 2 * width, 3 * width, keys, dims, keys < TOKENS, tl.load(shift + 2 * width), kind)
    d_key = tl.zeros([KEYS, DIM], tl.float32)
    d_value = tl.zeros([KEYS, DIM], tl.float32)
    d_query_bias = tl.zeros([DIM], tl.float32)
    for start in range(0, TOKENS, BLOCK):
        index = start + tl.arange(0, BLOCK)
        counts = (index >= FIRST) & (index < TOKENS)
        query = _rows(base, 3 * width, index, dims, index < TOKENS, query_bias, kind)
        place = out_offset + (index - FIRST)[:, None] * width + dims[None, :]
        mixed = tl.load(out + place, mask=counts[:, None], other=0.0)
        d_mixed = tl.load(d_out + place, mask=counts[:, None], other=0.0)
        along = tl.sum(mixed.to(tl.float32) * d_mixed.to(tl.float32), 1)
        # An infinite sum gives weight zero to queries that were not asked.
        total = tl.load(sums_base + index - FIRST, mask=counts, other=float("inf"))
        weights = tl.exp2(tl.dot(key, tl.trans(query)) * scale_log2 - total[None, :])
        weights = tl.where((keys < TOKENS)[:, None], weights, 0.0)
        d_value = tl.dot(weights.to(kind), d_mixed, d_value)
        d_logits = (weights * (tl.dot(value, tl.trans(d_mixed)) - along[None, :])).to(kind)
        d_key = tl.dot(d_logits, query, d_key)
        d_query = tl.dot(tl.trans(d_logits), key) * scale
        tl.store(
            d_base + index[:, None] * (3 * width) + dims[None, :], d_query.to(kind), mask=(index < TOKENS)[:, None]
        )
        d_query_bias += tl.sum(d_query, 0)
    d_key *= scale
    place = d_base + keys[:, None] * (3 * width) + dims[None, :]
    tl.store(place + width, d_key.to(kind), mask=(keys < TOKENS)[:, None])
    tl.store(place + 2 * width, d_value.to(kind), mask=(keys < TOKENS)[:, None])
    d_shift = d_bias + row * 3 * width + head * DIM + dims
    tl.store(d_shift, d_query_bias)
    tl.store(d_shift + width, tl.sum(d_key, 0))
    tl.store(d_shift + 2 * width, tl.sum(d_value, 0))
