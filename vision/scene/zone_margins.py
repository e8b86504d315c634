"""How exactly zones are known, and how far around them changes count."""

from __future__ import annotations

ZONE_TOLERANCE_MM = 10.0
"""The accuracy of a zone's corners; what stands this near outside still belongs to the zone."""

WATCH_MARGIN_MM = 4.0
"""A change this near to a zone makes it be read again."""
