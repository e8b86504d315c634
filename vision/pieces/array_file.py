"""Files of arrays (npz) with metadata as JSON."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np


def save_arrays(path: Path, about: Mapping[str, Any], arrays: Mapping[str, Any]) -> None:
    """Write arrays, and their metadata `about` as JSON; an earlier file is replaced atomically."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays, about=np.frombuffer(json.dumps(about).encode(), np.uint8))
    fresh = path.with_name(path.name + ".new")
    fresh.write_bytes(buffer.getvalue())
    fresh.replace(path)


def load_arrays(path: Path) -> tuple[Any, dict[str, Any]]:
    """The metadata and the arrays of a file. Raises `OSError`, `KeyError`, `ValueError` or `BadZipFile` when it is not
    such a file."""
    with np.load(path, allow_pickle=False) as data:
        arrays = {name: data[name] for name in data.files}
    return json.loads(arrays["about"].tobytes()), arrays
