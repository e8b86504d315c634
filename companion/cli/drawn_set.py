"""A picture set of a game, drawn: where things lie on the table, and what is known of each picture."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from companion.cli.drawn_table import DrawnSolid, draw_table, overhead_view
from companion.cli.drawn_things import board_top, body_solid, card_solid, piece_solid
from companion.cli.played import Played
from companion.engine import Json
from companion.errors import InvalidError, phrase
from companion.table import Appearance, Layout, Piece, Placement, Point, Spot, Zone
from companion.table.tag_card import TAG_CARD_MM
from vision.enrolment.placement_plan import plan_pictures
from vision.imaging.frame import CardSeen, Image

MARGIN_MM: Final = 30.0
"""Between the layout and the tag cards."""
GAP_MM: Final = 5.0
"""Between pieces in a zone."""
SLOPPY_MM, SLOPPY_DEG = 0.8, 4.0
"""How far people lay a piece off its point, and how far off straight."""


@dataclass(frozen=True, slots=True)
class LyingPiece:
    """A piece of a game on the table, in the table's frame."""

    name: Appearance
    spot: Spot
    at_mm: Point
    turn_deg: float
    floor_mm: float
    is_top: bool


class DrawnSet:
    """The pictures of a game that was played. Raises `InvalidError` for a game that needs crates or drinks, or pieces
    that are not described."""

    def __init__(self, played: Played, pieces: Sequence[Piece]) -> None:
        self._played, self._pieces = played, {piece.name: piece for piece in pieces}
        self._layout: Layout = played.game.layout(played.setup)
        if any(kind.drawn in ("drink", "frame", "lid") for kind in self._layout.kinds):
            raise InvalidError(phrase("cli.draw.no_crates", game=played.game.id))
        self._expect_pieces()
        (wide, deep), self._side = self._layout.size_mm, TAG_CARD_MM[0] + MARGIN_MM
        across = wide + 2 * self._side
        self._cards = tuple(CardSeen(card, at, 0.0) for card, at in enumerate(
            ((0.0, 0.0), (across, 0.0), (across, deep), (0.0, deep))))
        self._view = overhead_view((across / 2, deep / 2), across + 2 * TAG_CARD_MM[0], deep + 2 * TAG_CARD_MM[1])
        self._tops = {body.appearance: board_top(body, self._layout) for body in self._layout.bodies}

    def about(self) -> dict[str, Json]:
        """The set's `set.json`."""
        lens, layout, seats = self._view.lens, self._layout, len(self._played.game.scores(self._played.states[0]))
        zones = {zone.spot: zone.corners_mm for zone in layout.zones}
        for body in layout.bodies[:1] if layout.block is not None else ():
            (x, y), (wide, deep) = body.at_mm, (body.size_mm[0] / 2, body.size_mm[1] / 2)
            corners = ((x - wide, y - deep), (x + wide, y - deep), (x + wide, y + deep), (x - wide, y + deep))
            zones[layout.block or body.spot] = corners
        boards = [{"name": body.appearance, "size": body.size_mm[:2], "thick": body.size_mm[2], "picture": "board.jpg"}
                  for body in layout.bodies[:1]]
        return {
            "game": self._played.game.id,
            "camera": {"width": lens.width, "height": lens.height, "K": lens.camera_matrix.tolist(),
                       "dist": lens.dist.tolist()},
            "pieces": [{"name": each.name, "kind": each.kind, "size": each.size_mm, "round": each.round}
                       for each in self._pieces.values()],
            "board": boards[0] if boards else None,
            "zones": [{"name": spot, "corners": [self._at(at) for at in corners]} for spot, corners in zones.items()],
            "seats": [{"seat": seat, "direction": -90.0 - 360.0 * seat / seats} for seat in range(seats)],
        }

    def board_picture(self) -> Image | None:
        """The first board's print as a flat picture, far edge up."""
        return self._tops[self._layout.bodies[0].appearance] if self._layout.bodies else None

    def enrolments(self) -> Iterator[tuple[dict[str, Json], Image]]:
        """The pictures of pieces laid out for enrolment, and their lines of `enrol.json`."""
        planned = plan_pictures(list(self._pieces.values()), self._cards, self._view, self._layout.kinds)
        for number, picture in enumerate(planned):
            solids = [self._solid(laid.appearance, laid.at_mm, laid.turn_deg) for laid in picture.pieces]
            pieces = [{"appearance": laid.appearance, "at": laid.at_mm, "turn": laid.turn_deg}
                      for laid in picture.pieces]
            yield {"picture": f"enrol/{number}.jpg", "pieces": pieces}, self._picture(solids, 1000 + number)

    def frames(self) -> Iterator[tuple[dict[str, Json], Image]]:
        """A picture before the first ply and one after each, with their lines of `frames.jsonl`."""
        cards = [{"card": card.card, "at": card.at_mm, "turn": 0.0, "visible": 1.0} for card in self._cards]
        for number, state in enumerate(self._played.states):
            lying = [*self._bodies(), *self._pieces_of(self._played.game.placement(state))]
            solids = [self._solid(each.name, each.at_mm, each.turn_deg, each.floor_mm) for each in lying]
            pieces = [{"appearance": each.name, "at": each.at_mm, "turn": each.turn_deg, "spot": each.spot,
                       "z": each.floor_mm, "visible": float(each.is_top)} for each in lying]
            yield {"frame": number, "free": True, "ply": number, "what": "look", "cards": cards,
                   "pieces": pieces}, self._picture(solids, number)

    # ---------------------------------------------------------------- where things lie

    def _at(self, at_mm: Point) -> Point:
        return at_mm[0] + self._side, at_mm[1]

    def _bodies(self) -> Iterator[LyingPiece]:
        for body in self._layout.bodies:
            yield LyingPiece(body.appearance, body.spot, self._at(body.at_mm), body.turn_deg, 0.0, True)

    def _pieces_of(self, placement: Placement) -> Iterator[LyingPiece]:
        for place in self._layout.places:
            below = next((each for each in self._layout.places if each.under == place.spot), None)
            floor = place.floor_mm + sum(map(self._height, placement.get(below.spot, ()) if below else ()))
            is_covered = bool(placement.get(place.under or ""))
            stack = placement.get(place.spot, ())
            yield from self._stack(stack, place.spot, place.at_mm, place.turn_deg, floor, is_covered)
        for zone in self._layout.zones:
            piles = _piles(zone, placement.get(zone.spot, ()))
            for at, pile in zip(self._points(zone, len(piles)), piles):
                yield from self._stack(pile, zone.spot, at, 0.0, 0.0)

    def _stack(
        self, stack: Sequence[Appearance], spot: Spot, at_mm: Point, turn_deg: float, floor: float,
        is_covered: bool = False,
    ) -> Iterator[LyingPiece]:
        for height, name in enumerate(stack):
            rng = Random(f"{spot}/{name}/{height}/{at_mm}")
            off = [rng.uniform(-SLOPPY_MM, SLOPPY_MM) for _ in "xy"]
            at = self._at((at_mm[0] + off[0], at_mm[1] + off[1]))
            is_top = height == len(stack) - 1 and not is_covered
            yield LyingPiece(name, spot, at, turn_deg + rng.uniform(-SLOPPY_DEG, SLOPPY_DEG), floor, is_top)
            floor += self._height(name)

    def _points(self, zone: Zone, count: int) -> Iterator[Point]:
        """Points in rows, from the front left."""
        pitch = GAP_MM + max(max(piece.size_mm[:2]) for piece in self._pieces.values() if piece.kind in zone.kinds)
        (left, low), (right, _), _, _ = zone.corners_mm
        per_row = max(1, int((right - left) // pitch))
        for n in range(count):
            yield left + pitch * (n % per_row + 0.5), low + pitch * (n // per_row + 0.5)

    # ---------------------------------------------------------------- drawing

    def _picture(self, solids: Sequence[DrawnSolid], number: int) -> Image:
        return draw_table(self._view, [*(card_solid(card.card, card.at_mm) for card in self._cards), *solids], number)

    def _solid(self, name: Appearance, at_mm: Point, turn_deg: float, floor_mm: float = 0.0) -> DrawnSolid:
        for body in self._layout.bodies:
            if body.appearance == name:
                return body_solid(body, self._tops[name], at_mm, turn_deg)
        piece = self._pieces[name]
        return piece_solid(piece, self._layout.kind(piece.kind), at_mm, turn_deg, floor_mm)

    def _height(self, name: Appearance) -> float:
        return self._pieces[name].size_mm[2]

    def _expect_pieces(self) -> None:
        names = {body.appearance for body in self._layout.bodies}
        for state in self._played.states:
            names |= {name for pieces in self._played.game.placement(state).values() for name in pieces}
        if missing := sorted(names - self._pieces.keys()):
            raise InvalidError(phrase("cli.draw.missing", pieces=tuple(missing)))


def _piles(zone: Zone, pieces: Sequence[Appearance]) -> list[tuple[Appearance, ...]]:
    """What lies at one point each."""
    if zone.heap == "pile":
        return [tuple(pieces)] if pieces else []
    if zone.heap == "alike":
        return [(name,) * list(pieces).count(name) for name in dict.fromkeys(pieces)]
    return [(name,) for name in pieces]


def read_pieces(file: Path) -> list[Piece]:
    """The `pieces` of a file that is or begins a `set.json`. Raises `InvalidError`."""
    try:
        told: Sequence[Mapping[str, Json]] = json.loads(file.read_text("utf-8"))["pieces"]
        return [Piece(str(each["name"]), str(each["kind"]), _size(each["size"]), bool(each["round"])) for each in told]
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise InvalidError(phrase("cli.draw.pieces", file=str(file))) from error


def _size(given: Json) -> tuple[float, float, float]:
    wide, deep, height = map(float, given)
    return wide, deep, height
