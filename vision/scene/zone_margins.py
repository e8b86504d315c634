"""Tolerances that zones of drinks and of flat pieces share."""

from __future__ import annotations

ZONE_TOLERANCE_MM = 10.0
"""The accuracy of a zone's corners; what stands no farther outside still belongs to the zone."""

WATCH_MARGIN_MM = 4.0
"""A change within this distance of a zone makes it be read again."""

FOREGROUND_MISFIT = 6.0
"""A pixel at least this far from any colour that the bare table can have, in more or less light, is foreground."""
