"""What holds for zones of drinks and of flat pieces alike."""

from __future__ import annotations

ZONE_TOLERANCE_MM = 10.0
"""The accuracy of a zone's corners; what stands this near outside still belongs to the zone."""

WATCH_MARGIN_MM = 4.0
"""A change this near to a zone makes it be read again."""

FOREGROUND_MISFIT = 6.0
"""A pixel this far from any colour that the bare table can have, in more or less light, shows something else."""
