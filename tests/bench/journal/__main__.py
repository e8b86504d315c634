"""`make bench-journal`: kills, damages and costs, one after the other; docs/reliability.md.

Exit code 1: something is not as promised.
"""

from __future__ import annotations

import sys

from tests.bench.journal import damage, kills, speed

if __name__ == "__main__":
    sys.exit(max(kills.main(), damage.main(), speed.main()))
