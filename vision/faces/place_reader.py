"""Places on which one flat piece, or a stack of them, may lie: on a board, on a packing crate, on the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from companion.table import EMPTY, Appearance, Body, Place, Point, Sight, Spot
from vision.faces.classifier import (
    BareTable,
    FaceReading,
    PrintedSurface,
    Surface,
    open_windows,
    read_face,
    read_windows,
)
from vision.faces.ortho_window import CandidateWindow
from vision.faces.templates import Face, Faces
from vision.faces.zone_detector import MAX_MISFIT
from vision.imaging.box import Box, box_around
from vision.scene.reading_cache import Memory
from vision.scene.scene import Scene

MIN_SLACK_MM, MAX_SLACK_MM, ROOM_SHARE = 2.0, 4.0, 0.6
"""A piece lies within this of the centre of its place on a body: `ROOM_SHARE` of the room that the place leaves it."""

TABLE_SLACK_MM = 10.0
"""A piece that lies on the table itself may be so far from where it is expected before it was first seen."""

EXTRA_SLACK_MM = 3.0
"""Where no face fits (see `STRANGE`), one is looked for so much farther out."""

CORE_SHARE = 0.75
"""This share of a piece's width, in its middle, is watched for changes."""

MAX_BARE_COST, MAX_LIGHT_NATS, BARE_NATS = 5.0, 1.0, 10.0
"""A place is empty without further question when the mean square of differences from the bare ground is below this (a
piece of the ground's own colour gives three times as much) in usual light; by how many nats."""

SIZE_TOLERANCE_MM = 3.0
"""What is larger than a place by more than this does not lie on it."""

Faced = Mapping[Place, tuple[Face, ...]]


class FacePlaces:
    """Reads one table's flat places."""

    def __init__(self, faces: Faces, memory: Memory) -> None:
        self.faces, self._memory = faces, memory
        self._lay: dict[Spot, Point] = {}

    def read(self, scene: Scene, places: Sequence[Place], centres_mm: Mapping[Spot, Point], bodies: Sequence[Body]
             ) -> list[Sight]:
        """One sight for each place that can be seen: what lies on top. `centres_mm` are where the places are and
        `bodies` where those stand that carry some of them, both in the table frame."""
        stands = {body.spot: body for body in bodies}
        beneath = {place.under: place for place in places if place.under is not None}
        sights: list[Sight] = []
        for place in places:
            if place.under is None and place.spot in centres_mm:
                ground = self._ground(stands.get(place.on)) if place.on is not None else BareTable()
                sights += self._place(scene, place, beneath.get(place.spot), centres_mm[place.spot], ground)
        return sights

    def _ground(self, body: Body | None) -> Surface:
        face = None if body is None else self.faces.get(body.appearance)
        if body is None or face is None:
            return BareTable()
        return PrintedSurface(face, body.at_mm, body.turn_deg, face.piece.size_mm[2])

    def _place(self, scene: Scene, place: Place, beneath: Place | None, at_mm: Point, ground: Surface
               ) -> tuple[Sight, ...]:
        known = self._memory.get(place.spot)
        before = None if known is None else self._memory.recall(scene, place.spot, known.box)
        if before is not None:
            return before
        faces = self._candidates(place)
        under = () if beneath is None else self._candidates(beneath)
        if not faces:
            return ()
        thick_mm = min(face.piece.size_mm[2] for face in faces)  # what is higher stands on top alone
        rise_mm = (place.stack - 1) * thick_mm + max((face.piece.size_mm[2] for face in under), default=0.0)
        sights = self._read(scene, place, beneath, at_mm, (faces, under), ground, rise_mm)
        self._memory.keep(scene, place.spot, core_box(scene, sights[0].at_mm, place.floor_mm, faces), sights)
        return sights

    def _candidates(self, place: Place) -> tuple[Face, ...]:
        """The faces of all pieces that the place can hold."""
        return tuple(face for face in self.faces.values() if face.piece.kind in place.kinds and all(
            size <= room + SIZE_TOLERANCE_MM for size, room in zip(sorted(face.piece.size_mm[:2]),
                                                                   sorted(place.size_mm))))

    def _read(self, scene: Scene, place: Place, beneath: Place | None, at_mm: Point,
              faces: tuple[tuple[Face, ...], tuple[Face, ...]], ground: Surface, rise_mm: float) -> tuple[Sight, ...]:
        """The top of what lies on a place, and what lies beneath where that can be seen."""
        top, under = faces
        slack_mm = self._slack(place, top)
        centre = at_mm if place.on is not None else self._lay.get(place.spot, at_mm)
        seen = open_windows(scene, centre, place.floor_mm, (*top, *under), slack_mm, ground, rise_mm)
        if place.on is not None and _is_bare(seen[0]):
            named = [(place.spot, top)] + ([(beneath.spot, under)] if beneath is not None else [])
            return tuple(Sight(spot, at_mm, {EMPTY: 0.0, **{face.piece.name: -BARE_NATS for face in each}})
                         for spot, each in named)
        reading = read_windows(seen)
        wide_mm = TABLE_SLACK_MM if place.on is None else MAX_SLACK_MM + EXTRA_SLACK_MM
        if reading.fits[reading.best].misfit > MAX_MISFIT and slack_mm < wide_mm:
            reading = read_face(scene, at_mm, place.floor_mm, (*top, *under), wide_mm, ground, rise_mm)
        own = {face.piece.name for face in top}
        sights = [place_sight(place.spot, centre, reading, own)]
        if beneath is not None and (reading.is_empty or reading.best not in own):
            sights.append(place_sight(beneath.spot, centre, reading, {face.piece.name for face in under}, without=own))
        if place.on is None and not reading.is_empty:
            self._lay[place.spot] = reading.at_mm
        return tuple(sights)

    def _slack(self, place: Place, faces: Sequence[Face]) -> float:
        if place.on is None and place.spot not in self._lay:
            return TABLE_SLACK_MM
        room = min(place.size_mm) - min(min(face.piece.size_mm[:2]) for face in faces)
        return float(np.clip(ROOM_SHARE * room / 2, MIN_SLACK_MM, MAX_SLACK_MM))


def core_box(scene: Scene, at_mm: Point, floor_mm: float, faces: Sequence[Face]) -> Box:
    """The part of the picture that changes whenever one of some pieces comes, goes or moves at a place, and hardly when
    one does beside it."""
    across, deep, height = np.min([face.piece.size_mm for face in faces], axis=0)
    half = CORE_SHARE * min(across, deep) / 2
    corners = np.array([(-half, -half), (half, -half), (half, half), (-half, half)]) + at_mm
    return box_around(scene.view.project_at(corners, floor_mm + height), 0)


def _is_bare(seen: CandidateWindow) -> bool:
    """Whether what a piece would cover in the middle of a place looks so much like the bare ground that no face needs
    to be tried."""
    cost, unusual = seen.bare_cost()
    return cost < MAX_BARE_COST and unusual < MAX_LIGHT_NATS


def place_sight(spot: Spot, centre_mm: Point, reading: FaceReading, own: set[Appearance],
                without: set[Appearance] | None = None) -> Sight:
    """What a reading says of one of two places that lie on one another: whatever belongs to the other one, and is not
    told to be absent, leaves this one empty."""
    nats = {name: value for name, value in reading.loglik.items() if name not in (without or set())}
    said = {name: value for name, value in nats.items() if name in own}
    others = [value for name, value in nats.items() if name not in own]
    said[EMPTY] = float(np.logaddexp.reduce(others)) if others else min(said.values()) - 1.0
    best = max(said, key=said.__getitem__)
    if best == EMPTY:
        return Sight(spot, centre_mm, said)
    fit = reading.fits[best]
    return Sight(spot, fit.at_mm, said, fit.turn_deg)
