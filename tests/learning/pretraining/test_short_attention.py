"""The attention kernels against attention written out: on a GPU, or with ``TRITON_INTERPRET=1`` where triton is."""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import Any, NamedTuple
from unittest import SkipTest

import torch
from torch import Tensor

from pentathlon.learning.pretraining.masked_autoencoder import MaskedAutoencoder
from pentathlon.models.encoders.vit import Block

GPU = torch.cuda.is_available()
DEVICE = "cuda" if GPU else "cpu"
# On a GPU float32 products are rounded like bfloat16's or worse, and bfloat16 is what training uses.
DTYPE, TOLERANCE = (torch.bfloat16, 1e-2) if GPU else (torch.float32, 1e-5)


class Case(NamedTuple):
    """A shape that differs from the others in what it fills: blocks, keys, asked queries."""

    count: int
    tokens: int
    heads: int
    dim: int
    first: int


CASES = (Case(2, 50, 2, 64, 0), Case(2, 197, 2, 32, 50), Case(1, 16, 3, 16, 3), Case(1, 65, 1, 16, 64))


def kernels() -> Any:
    """The module with the kernels, where they can run."""
    if find_spec("triton") is None or not (GPU or os.environ.get("TRITON_INTERPRET") == "1"):
        raise SkipTest("needs triton, and a GPU or TRITON_INTERPRET=1")
    from pentathlon.learning.pretraining import short_attention

    return short_attention


def make(case: Case) -> tuple[Tensor, Tensor, Tensor]:
    """Projections, their bias, and the gradient that comes back."""
    generator = torch.Generator().manual_seed(case.tokens)
    width = case.heads * case.dim
    qkv = torch.randn(case.count, case.tokens, 3 * width, generator=generator).to(DEVICE, DTYPE)
    bias = torch.randn(3 * width, generator=generator).to(DEVICE)
    d_out = torch.randn(case.count, case.tokens - case.first, width, generator=generator).to(DEVICE, DTYPE)
    return qkv, bias, d_out


def written_out(qkv: Tensor, bias: Tensor, case: Case) -> Tensor:
    shape = (case.count, case.tokens, 3, case.heads, case.dim)
    query, key, value = (qkv.double() + bias.double()).view(shape).permute(2, 0, 3, 1, 4)
    weights = (query[:, :, case.first :] @ key.transpose(2, 3) / case.dim**0.5).softmax(dim=-1)
    return (weights @ value).transpose(1, 2).flatten(2)


def apart(found: Tensor, expected: Tensor) -> float:
    return ((found.double() - expected).norm() / expected.norm()).item()


def test_output_and_gradients_are_those_of_attention_written_out() -> None:
    module = kernels()
    for case in CASES:
        qkv, bias, d_out = make(case)
        leaves = qkv.requires_grad_(), bias.requires_grad_()
        found, _ = module.short_attention(qkv, bias, case.heads, case.first)
        exact = [leaf.detach().double().requires_grad_() for leaf in leaves]
        expected = written_out(exact[0], exact[1], case)
        assert found.shape == expected.shape
        assert apart(found, expected) < TOLERANCE, case
        pairs = zip(
            torch.autograd.grad(found, leaves, d_out),
            torch.autograd.grad(expected, exact, d_out.double()),
            strict=True,
        )
        for ours, theirs in pairs:
            assert apart(ours, theirs) < TOLERANCE, case


def test_queries_that_are_not_asked_get_no_gradient() -> None:
    module = kernels()
    case = CASES[1]
    qkv, bias, d_out = make(case)
    found, _ = module.short_attention(qkv.requires_grad_(), bias, case.heads, case.first)
    (gradient,) = torch.autograd.grad(found, qkv, d_out)
    width = case.heads * case.dim
    assert not gradient[:, : case.first, :width].any()
    assert gradient[:, : case.first, width:].any()


def test_operator_is_what_it_tells_the_compiler() -> None:
    module = kernels()
    case = CASES[2]
    qkv, bias, _ = make(case)
    arguments = (qkv.requires_grad_(), bias.requires_grad_(), case.heads, case.first)
    torch.library.opcheck(module.short_attention, arguments)


def test_what_does_not_fit_the_chip_is_left_to_others() -> None:
    fits = kernels().fits
    assert fits(197, 32)
    assert fits(50, 64)
    assert not fits(257, 16)
    assert not fits(197, 64)
    assert not fits(50, 48)


def test_a_block_under_autocast_is_the_encoders_block() -> None:
    kernels()
    if not GPU:
        raise SkipTest("needs a GPU: elsewhere a block does not use the kernel")
    torch.manual_seed(0)
    block = Block(128, 4, 4.0, 1e-6).cuda()
    torch.nn.init.normal_(block.attn.qkv.bias)
    x = torch.randn(2, 197, 128, device="cuda")
    expected = block(x)[:, 50:]
    with torch.autocast("cuda", dtype=torch.bfloat16):
        found = MaskedAutoencoder.run_block(block, x, 50)
    assert apart(found, expected.double()) < TOLERANCE
    assert not torch.equal(found, expected)
