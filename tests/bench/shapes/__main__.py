"""`python -m tests.bench.shapes --tables 100`: makes tables (`MAKER` is its folder) and learns the network from them.

Half a minute to a minute a table, on two cores; tables and crops stay in `build/shapes`. `--python` names a Python that
has torch and onnx; without it nothing is learned. The network is written to `build/shapes/shape_net.onnx`: judge it on
picture sets (`python -m tests.vision.score_shapes SET…`) before it replaces that of `vision/shapes`.
"""

from __future__ import annotations

import argparse
import subprocess
from pathlib import Path

import numpy as np

from tests.bench.fresh import maker
from tests.bench.shapes.crops import cut

MADE = maker.BUILT.parent / "shapes"
FIRST_SEED = 100_000
"""Far beyond those of rounds: none of their tables is learned from."""


def make(seed: int) -> Path:
    """A table, unless it was made before."""
    return maker.by_script(Path(__file__).with_name("pictures.py"), MADE / "tables" / str(seed), str(seed))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, required=True)
    parser.add_argument("--python", type=Path, help="one that has torch and onnx")
    parser.add_argument("--rounds", type=int, default=30, help="how often each example is learned from")
    args = parser.parse_args()
    crops = MADE / "crops"
    crops.mkdir(parents=True, exist_ok=True)
    for seed in range(FIRST_SEED, FIRST_SEED + args.tables):
        kept = crops / f"{seed}.npz"
        if not kept.is_file():
            cropped = cut(make(seed))
            np.savez(kept, planes=cropped["planes"], seen_from=cropped["seen_from"], kinds=cropped["kinds"])
            print(f"{seed} of {FIRST_SEED + args.tables - 1}", flush=True)
    if args.python:
        script = Path(__file__).with_name("train.py")
        subprocess.run([str(args.python), str(script), str(crops), str(MADE / "shape_net.onnx"), str(args.rounds)],
                       check=True)


if __name__ == "__main__":
    main()
