"""The linear assignment problem: to each row its own column, at the least total cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

FORBIDDEN_NATS: Final = 1e6
"""The cost of a pair that must not be."""


def linear_assignment(costs: Sequence[Sequence[float]] | npt.NDArray[np.float64]) -> tuple[float, list[int]]:
    """The least total, and the column of each row; `costs` is (rows, columns), with no fewer columns than rows.

    The algorithm is that of Jonker and Volgenant (A shortest augmenting path algorithm for dense and sparse linear
    assignment problems, Computing 38, 1987), as the package lapx has it.
    """
    import lap  # here, so that checking a record does not wait for them
    import numpy as np

    table = np.asarray(costs, np.float64)
    total, columns, _ = lap.lapjv(table, extend_cost=table.shape[0] != table.shape[1])
    return float(total), [int(column) for column in columns]
