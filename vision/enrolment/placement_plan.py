"""What to lay where for enrolment: a few pictures, in which all pieces lie between the cards in rows.

    for picture in plan_pictures(known.pieces, arrangement.cards, arrangement.view, kinds):
        print("\\n".join(draw_plan(picture.pieces, arrangement.cards)))

Drinks stand on the open table twice, each time beside others, and once in crates; three crates stay empty.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from companion.table import Body, Piece, PieceKind
from companion.table.crate import SLOTS
from vision.enrolment.laying_room import LayingRoom
from vision.enrolment.picture_set import LaidPiece
from vision.imaging.camera import View
from vision.imaging.footprints import is_within, slot_centres_mm
from vision.imaging.frame import CardSeen

ALONE_MIN_MM = 100.0
"""What is larger lies alone."""

EMPTY_CRATES = 3

TABLE_SEEDS, CRATE_SEED = (0, 1), 2
"""Seeds of the random orders of drinks on the table and in crates."""


@dataclass(frozen=True, slots=True)
class PlannedPicture:
    """The pieces of one enrolment picture; `what` names the kind of picture: bare, table, crates, empty_crates, flat
    or given (as a picture set says)."""

    what: str
    pieces: tuple[LaidPiece, ...]


def plan_pictures(pieces: Sequence[Piece], cards: Sequence[CardSeen], view: View, kinds: Collection[PieceKind] = ()
                  ) -> tuple[PlannedPicture, ...]:
    """The pictures to take of all pieces, beginning with the bare table. Pieces that are too many for the area between
    the cards are spread over several pictures. `kinds` are those of the game."""
    room = LayingRoom(cards, view)
    drinks = [piece for piece in pieces if piece.kind == "drink"]
    upright = all(kind.found != "silhouette" for kind in kinds)  # else nothing ever stands in crates
    crate = next((piece for piece in pieces if piece.kind == "crate" and upright), None)
    flat = [piece for piece in pieces if piece.kind not in ("drink", "crate")]
    return (PlannedPicture("bare", ()), *_flat(room, flat), *_on_table(room, drinks),
            *(() if crate is None else (*_in_crates(room, crate, drinks), *_empty_crates(room, crate))))


def _flat(room: LayingRoom, pieces: Sequence[Piece]) -> Iterator[PlannedPicture]:
    """Each large piece alone, then all others, the largest first."""
    large = [piece for piece in pieces if max(piece.size_mm[:2]) > ALONE_MIN_MM]
    for piece in large:
        yield PlannedPicture("flat", (room.lay_alone(piece),))
    small = sorted((piece for piece in pieces if piece not in large), key=lambda piece: -max(piece.size_mm[:2]))
    for laid in room.lay(small):
        yield PlannedPicture("flat", laid)


def _on_table(room: LayingRoom, drinks: Sequence[Piece]) -> Iterator[PlannedPicture]:
    """All drinks on the open table, once for each seed."""
    for seed in TABLE_SEEDS:
        for laid in room.lay(_shuffled(drinks, seed)):
            yield PlannedPicture("table", laid)


def _in_crates(room: LayingRoom, crate: Piece, drinks: Sequence[Piece]) -> Iterator[PlannedPicture]:
    """All drinks in crates, as many as have room."""
    shuffled, each = _shuffled(drinks, CRATE_SEED), SLOTS[0] * SLOTS[1]
    filled = iter([shuffled[at:at + each] for at in range(0, len(shuffled), each)])
    for crates in room.lay([crate] * -(-len(shuffled) // each)):
        laid = [piece for at in crates for piece in (at, *_slots(at, crate, next(filled)))]
        yield PlannedPicture("crates", tuple(laid))


def _empty_crates(room: LayingRoom, crate: Piece) -> Iterator[PlannedPicture]:
    for laid in room.lay([crate] * EMPTY_CRATES):
        yield PlannedPicture("empty_crates", laid)


def _shuffled(pieces: Sequence[Piece], seed: int) -> list[Piece]:
    """The pieces in another order for each seed but 0, so that none always stands at one place beside the same."""
    return list(pieces) if seed == 0 else Random(seed).sample(list(pieces), len(pieces))


def _slots(at: LaidPiece, crate: Piece, drinks: Sequence[Piece]) -> Iterator[LaidPiece]:
    """Drinks in a crate, the front row first, left to right."""
    body = Body("", crate.name, at.at_mm, crate.size_mm, at.turn_deg)
    for drink, (x, y) in zip(drinks, slot_centres_mm(body).tolist()):
        yield LaidPiece(drink.name, (x, y), at.turn_deg)


def group_by_crate(picture: PlannedPicture, sizes: Mapping[str, Piece]) -> list[tuple[LaidPiece, list[LaidPiece]]]:
    """What lies on the table itself, each with the drinks that stand in it: the front row of a crate first."""
    crates = [laid for laid in picture.pieces if sizes[laid.appearance].kind == "crate"]
    inside: dict[LaidPiece, list[LaidPiece]] = {crate: [] for crate in crates}
    groups = []
    for laid in picture.pieces:
        around = next((crate for crate in crates if laid not in crates and _is_in(laid, crate, sizes)), None)
        if around is None:
            groups.append((laid, inside.get(laid, [])))
        else:
            inside[around].append(laid)
    return groups


def _is_in(laid: LaidPiece, crate: LaidPiece, sizes: Mapping[str, Piece]) -> bool:
    body = Body("", crate.appearance, crate.at_mm, sizes[crate.appearance].size_mm, crate.turn_deg)
    return is_within(body, laid.at_mm)
