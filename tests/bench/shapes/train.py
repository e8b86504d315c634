"""`python train.py CROPS OUT.onnx`: learns the network from all `CROPS/*.npz`, by a Python that has torch and onnx.

Nothing of a colour can be learned: channels are exchanged and their gains drawn anew each time. Feet are displaced as
they are misread: along the line of sight more than across it, in slots hardly. Every tenth table is held out.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn
from torch.nn import functional

SIDE_PX, MARGIN_PX, PLANES, KINDS, CODED = 48, 10, 7, 7, 180
"""As in `crops.py` and `vision/shapes`, which a Python with torch need not have."""

WIDTH, OF_PLANE, COMPARED = 16, 40, 96
"""Channels of the first layer; features of a plane; hidden units that compare them."""

BATCH, RATE, DECAY, SMOOTHING, DROPPED = 64, 4e-3, 1e-2, 0.01, 0.2
IN_SLOT_PX, AWAY_PX, ACROSS_PX = 0.6, 3.0, 1.5
"""How far feet are displaced (standard deviations)."""
GAIN_SD, TINT_SD, MOST_NOISE = 0.2, 0.08, 0.06
COARSE = BATCH // 5
"""So many of a batch are seen with half the pixels."""
HELD_OUT = 10


class Network(nn.Module):  # type: ignore[misc]
    """A tower that sees each plane by itself, and a layer that compares what it found."""

    def __init__(self) -> None:
        super().__init__()
        wide = (3, WIDTH, 2 * WIDTH, 2 * WIDTH, 3 * WIDTH)
        layout = ((5, 2, 2), (3, 2, 1), (3, 1, 1), (3, 2, 1))
        self.convolutions = nn.ModuleList(nn.Conv2d(wide[i], wide[i + 1], *each) for i, each in enumerate(layout))
        self.norms = nn.ModuleList(nn.BatchNorm2d(each) for each in wide[1:])
        self.of_plane = nn.Linear(wide[-1] * (SIDE_PX // 8) ** 2, OF_PLANE)
        self.compared = nn.Linear(PLANES * OF_PLANE + 2, COMPARED)
        self.kinds = nn.Linear(COMPARED, KINDS)

    def forward(self, planes: Any, seen_from: Any) -> Any:
        """Planes (n, PLANES, 3, side, side) and (n, 2) to logits (n, KINDS)."""
        found = 2 * planes.flatten(0, 1) - 1
        for convolution, norm in zip(self.convolutions, self.norms):
            found = functional.relu(norm(convolution(found)))
        found = functional.relu(self.of_plane(functional.dropout(found.flatten(1), DROPPED, self.training)))
        both = torch.cat([found.reshape(len(planes), -1), seen_from], 1)
        return self.kinds(functional.relu(self.compared(functional.dropout(both, DROPPED, self.training))))


def drawn(planes: Any, seen_from: Any, rng: np.random.Generator) -> Any:
    """Examples (n, PLANES, 3, wide, wide) uint8 as they might be seen another time, as (n, PLANES, 3, side, side)."""
    out = np.empty((len(planes), PLANES, 3, SIDE_PX, SIDE_PX), np.float32)
    for number, (wide, in_slot) in enumerate(zip(planes, seen_from[:, 1])):
        spread = (IN_SLOT_PX, IN_SLOT_PX) if in_slot else (AWAY_PX, ACROSS_PX)
        top, left = MARGIN_PX + np.clip(np.rint(rng.normal(0, spread)), -MARGIN_PX, MARGIN_PX).astype(int)
        seen = wide[:, :, top:top + SIDE_PX, left:left + SIDE_PX]
        seen = seen[..., ::-1] if rng.random() < 0.5 else seen
        out[number] = seen[:, rng.permutation(3)] if rng.random() < 0.5 else seen
        gains = np.exp(rng.normal(0, GAIN_SD) + rng.normal(0, TINT_SD, (3, 1, 1))) / CODED
        out[number] *= gains.astype(np.float32)
    found = torch.from_numpy(out)
    found[:COARSE] = halved(found[:COARSE])  # the order of examples is random
    return found + torch.randn_like(found) * MOST_NOISE / 2 * torch.rand(len(planes), 1, 1, 1, 1)


def halved(planes: Any) -> Any:
    """Planes as a camera of half the pixels sees them."""
    flat = functional.avg_pool2d(planes.flatten(0, 1), 2)
    return functional.interpolate(flat, scale_factor=2, mode="bilinear").reshape(planes.shape)


def as_cut(planes: Any) -> Any:
    """Examples as they are."""
    middle = slice(MARGIN_PX, MARGIN_PX + SIDE_PX)
    return torch.from_numpy(planes[..., middle, middle].astype(np.float32) / CODED)


def learn(network: Network, data: dict[str, Any], rounds: int) -> None:
    """So many times through all examples, by AdamW with one cycle of the learning rate."""
    rng, count = np.random.default_rng(0), len(data["kinds"])
    network.to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(network.parameters(), RATE / 2, weight_decay=DECAY)
    steps = rounds * (count // BATCH)
    rate = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=steps + 1, pct_start=0.2)
    for number in range(rounds):
        network.train()
        lost, order = 0.0, rng.permutation(count)
        for first in range(0, count - BATCH + 1, BATCH):
            some = order[first:first + BATCH]
            planes, seen_from = drawn(data["planes"][some], data["seen_from"][some], rng), data["seen_from"][some]
            with torch.autocast("cpu", dtype=torch.bfloat16):
                told = network(planes, torch.from_numpy(seen_from)).float()
            loss = functional.cross_entropy(told, torch.from_numpy(data["kinds"][some]), label_smoothing=SMOOTHING)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            rate.step()
            lost += float(loss.detach())
        print(f"{number + 1} of {rounds}: {lost / (count // BATCH):.3f}", flush=True)


def judge(network: Network, data: dict[str, Any]) -> str:
    """How well the shapes of drinks and empty places are told."""
    network.eval()
    with torch.no_grad():
        told = torch.cat([network(as_cut(data["planes"][k:k + 256]), torch.from_numpy(data["seen_from"][k:k + 256]))
                          for k in range(0, len(data["kinds"]), 256)]).log_softmax(1).numpy()
    is_drink, said = data["kinds"] > 0, told.argmax(1)
    words = [f"{(said[~is_drink] > 0).sum()} of {(~is_drink).sum()} empty places full, "
             f"{(said[is_drink] == 0).sum()} of {is_drink.sum()} drinks lost"]
    for name, some in (("slots", is_drink & (data["seen_from"][:, 1] > 0)),
                       ("table", is_drink & (data["seen_from"][:, 1] == 0))):
        kinds, nats = data["kinds"][some], told[some]
        words.append(f"{name}: {(nats[:, 1:].argmax(1) + 1 != kinds).mean():.1%} of shapes wrong, "
                     f"{-nats[np.arange(len(kinds)), kinds].mean():.3f} nats lost")
    return "; ".join(words)


def write(network: Network, out: Path) -> None:
    """The network as ONNX, for one place at a time: `planes` (PLANES, 12, side / 2, side / 2) with the four pixels of
    each square as channels, `seen_from` (1, 2), `nats`."""
    weights = {name: value.detach().numpy().astype(np.float32) for name, value in network.state_dict().items()}
    nodes: list[Any] = []
    known: list[Any] = []

    def given(name: str, value: Any) -> str:
        known.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def node(kind: str, inputs: list[str], **settings: Any) -> str:
        output = "nats" if kind == "last" else f"{kind.lower()}{len(nodes)}"
        nodes.append(helper.make_node("Gemm" if kind == "last" else kind, inputs, [output], **settings))
        return output

    def dense(of: str, layer: str, kind: str = "Gemm") -> str:
        return node(kind, [of, given(f"{layer}.w", weights[f"{layer}.weight"]),
                           given(f"{layer}.b", weights[f"{layer}.bias"])], transB=1)

    seen = node("Mul", ["planes", given("two", np.array([2.0], np.float32))])
    seen = node("Sub", [seen, given("one", np.array([1.0], np.float32))])
    for number, layer in enumerate(network.convolutions):
        norm = {name: weights[f"norms.{number}.{name}"] for name in ("weight", "bias", "running_mean", "running_var")}
        gain = norm["weight"] / np.sqrt(norm["running_var"] + network.norms[number].eps)
        kernel = weights[f"convolutions.{number}.weight"] * gain[:, None, None, None]
        steps, beside = list(layer.stride), [layer.padding[0]] * 4
        if number == 0:
            kernel, steps, beside = of_fours(kernel), [1, 1], [1] * 4
        bias = (weights[f"convolutions.{number}.bias"] - norm["running_mean"]) * gain + norm["bias"]
        seen = node("Conv", [seen, given(f"kernel{number}", kernel), given(f"bias{number}", bias)],
                    kernel_shape=list(kernel.shape[2:]), strides=steps, pads=beside)
        seen = node("Relu", [seen])
    found = node("Relu", [dense(node("Flatten", [seen], axis=1), "of_plane")])
    row = node("Reshape", [found, given("row", np.array([1, PLANES * OF_PLANE], np.int64))])
    dense(node("Relu", [dense(node("Concat", [row, "seen_from"], axis=1), "compared")]), "kinds", "last")
    floats = TensorProto.FLOAT
    graph = helper.make_graph(
        nodes, "shapes", [helper.make_tensor_value_info("planes", floats, [PLANES, 12, SIDE_PX // 2, SIDE_PX // 2]),
                          helper.make_tensor_value_info("seen_from", floats, [1, 2])],
        [helper.make_tensor_value_info("nats", floats, [1, KINDS])], known)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.checker.check_model(model)
    onnx.save(model, out)


def of_fours(kernel: Any) -> Any:
    """A kernel (out, in, 5, 5) that goes in steps of two pixels and two pixels over the border, as (out, 4 * in, 3, 3)
    for pictures with the four pixels of each square as channels: the same sums."""
    out, channels = kernel.shape[:2]
    fours = np.zeros((out, channels, 2, 2, 3, 3), np.float32)
    for row, column in np.ndindex(5, 5):
        fours[:, :, row % 2, column % 2, row // 2, column // 2] = kernel[:, :, row, column]
    return fours.reshape(out, 4 * channels, 3, 3)


def load(files: list[Path]) -> dict[str, Any]:
    tables = [np.load(each) for each in files]
    return {name: np.concatenate([each[name] for each in tables]) for name in ("planes", "seen_from", "kinds")}


def main() -> None:
    torch.manual_seed(0)
    files = sorted(Path(sys.argv[1]).glob("*.npz"))
    network, rounds = Network(), int(sys.argv[3]) if len(sys.argv) > 3 else 30
    learn(network, load([each for number, each in enumerate(files) if number % HELD_OUT]), rounds)
    print(judge(network, load(files[::HELD_OUT])), flush=True)
    write(network, Path(sys.argv[2]))


if __name__ == "__main__":
    main()
