"""Places on which one flat piece, or a stack of them, may lie: on a board, on a packing crate, on the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.table import Body, Place, Point, Sight, Spot
from vision.faces.candidate_window import CandidateWindow
from vision.faces.classifier import read_face, read_windows
from vision.faces.face_reading import FaceReading
from vision.faces.face_site import FaceSite, open_windows
from vision.faces.flat_surface import BareTable, PrintedSurface, Surface
from vision.faces.place_sights import bare_sight, core_box, place_sight
from vision.faces.templates import Face, Faces
from vision.faces.zone_detector import MAX_MISFIT
from vision.scene.reading_cache import ReadingCache
from vision.scene.scene import Scene

MIN_SLACK_MM, MAX_SLACK_MM, ROOM_SHARE = 2.0, 4.0, 0.6
"""The slack of a piece about the centre of its place on a body: a share of the clearance, within these limits."""

TABLE_SLACK_MM = 10.0
"""The slack of a piece on the table itself before it was first seen."""

EXTRA_SLACK_MM = 3.0
"""Added to the slack when no face fits (see `MAX_MISFIT`)."""

MAX_BARE_COST, MAX_LIGHT_NATS = 5.0, 1.0
"""A place is empty without a search when the cost of the bare ground is below the first (a piece of the ground's own
colour gives three times as much), with a light prior below the second (nats)."""

SIZE_TOLERANCE_MM = 3.0
"""A piece that is larger than a place by more than this does not lie on it."""


@dataclass(frozen=True, slots=True, eq=False)
class _Stack:
    """A place and the one `beneath` it, if there is one, with the faces that may lie on each; `at_mm` is their centre
    in the table frame, and `ground` the surface while nothing lies on either."""

    place: Place
    beneath: Place | None
    at_mm: Point
    ground: Surface
    top: tuple[Face, ...]
    under: tuple[Face, ...]

    @property
    def faces(self) -> tuple[Face, ...]:
        """All that may lie there."""
        return (*self.top, *self.under)

    @property
    def rise_mm(self) -> float:
        """By how many mm a piece may lie above its place."""
        thick_mm = min(face.piece.size_mm[2] for face in self.top)  # what is higher stands on top alone
        return (self.place.stack - 1) * thick_mm + max((face.piece.size_mm[2] for face in self.under), default=0.0)


class FacePlaces:
    """Reads one table's flat places."""

    def __init__(self, faces: Faces, memory: ReadingCache) -> None:
        self.faces, self._memory = faces, memory
        self._lay: dict[Spot, Point] = {}

    def read(self, scene: Scene, places: Sequence[Place], centres_mm: Mapping[Spot, Point], bodies: Sequence[Body]
             ) -> list[Sight]:
        """One sight for each place that can be seen: what lies on top. `centres_mm` are the centres of the places and
        `bodies` those that carry some of them, both in the table frame."""
        standing = {body.spot: body for body in bodies}
        beneath = {place.under: place for place in places if place.under is not None}
        sights: list[Sight] = []
        for place in places:
            if place.under is None and place.spot in centres_mm:
                ground = self._ground(standing.get(place.on)) if place.on is not None else BareTable()
                sights += self._place(scene, place, beneath.get(place.spot), centres_mm[place.spot], ground)
        return sights

    def _ground(self, body: Body | None) -> Surface:
        face = None if body is None else self.faces.get(body.appearance)
        if body is None or face is None:
            return BareTable()
        return PrintedSurface(face, body.at_mm, body.turn_deg, face.piece.size_mm[2])

    def _candidates(self, place: Place | None) -> tuple[Face, ...]:
        """The faces of all pieces that a place can hold."""
        if place is None:
            return ()
        room = sorted(place.size_mm)
        return tuple(face for face in self.faces.values() if face.piece.kind in place.kinds and all(
            size <= most + SIZE_TOLERANCE_MM for size, most in zip(sorted(face.piece.size_mm[:2]), room)))

    def _place(self, scene: Scene, place: Place, beneath: Place | None, at_mm: Point, ground: Surface
               ) -> tuple[Sight, ...]:
        """The sights of a place: the cached ones if nothing changed, else new ones."""
        known = self._memory.get(place.spot)
        before = None if known is None else self._memory.recall(scene, place.spot, known.box)
        if before is not None:
            return before
        faces = self._candidates(place)
        if not faces:
            return ()
        sights = self._read(scene, _Stack(place, beneath, at_mm, ground, faces, self._candidates(beneath)))
        lies_mm = sights[0].at_mm if sights else at_mm
        self._memory.keep(scene, place.spot, core_box(scene, lies_mm, place.floor_mm, faces), sights)
        return sights

    def _read(self, scene: Scene, stack: _Stack) -> tuple[Sight, ...]:
        """The top of what lies on a place, and what lies beneath where that can be seen; nothing where something else
        covers a place on the table itself: on a board, what changed is told."""
        place = stack.place
        centre = stack.at_mm if place.on is not None else self._lay.get(place.spot, stack.at_mm)
        site = FaceSite(centre, place.floor_mm, self._slack(place, stack.top), stack.ground, stack.rise_mm)
        windows = open_windows(scene, site, stack.faces)
        if place.on is not None and _is_bare(windows[0]):
            return _nothing(stack)
        reading = read_windows(windows)
        wide_mm = TABLE_SLACK_MM if place.on is None else MAX_SLACK_MM + EXTRA_SLACK_MM
        if reading.misfit > MAX_MISFIT and site.slack_mm < wide_mm:
            reading = read_face(scene, replace(site, centre_mm=stack.at_mm, slack_mm=wide_mm), stack.faces)
        if place.on is None and reading.misfit > MAX_MISFIT and not reading.is_empty:
            return ()
        if place.on is None and not reading.is_empty:
            self._lay[place.spot] = reading.at_mm
        return _sights(stack, centre, reading)

    def _slack(self, place: Place, faces: Sequence[Face]) -> float:
        if place.on is None and place.spot not in self._lay:
            return TABLE_SLACK_MM
        room = min(place.size_mm) - min(min(face.piece.size_mm[:2]) for face in faces)
        return float(np.clip(ROOM_SHARE * room / 2, MIN_SLACK_MM, MAX_SLACK_MM))


def _is_bare(window: CandidateWindow) -> bool:
    """Whether the middle of a place, as large as a piece, is so like the bare ground that no face needs to be tried."""
    cost, light_nats = window.bare_cost()
    return cost < MAX_BARE_COST and light_nats < MAX_LIGHT_NATS


def _nothing(stack: _Stack) -> tuple[Sight, ...]:
    """Neither a place nor the one beneath it holds anything."""
    top = bare_sight(stack.place.spot, stack.at_mm, stack.top)
    return (top,) if stack.beneath is None else (top, bare_sight(stack.beneath.spot, stack.at_mm, stack.under))


def _sights(stack: _Stack, centre: Point, reading: FaceReading) -> tuple[Sight, ...]:
    """The sights of a place, and of the one beneath it unless a piece on the upper one occludes that."""
    own = {face.piece.name for face in stack.top}
    top = place_sight(stack.place.spot, centre, reading, own)
    if stack.beneath is None or not (reading.is_empty or reading.best not in own):
        return (top,)
    under = {face.piece.name for face in stack.under}
    return top, place_sight(stack.beneath.spot, centre, reading, under, without=own)
