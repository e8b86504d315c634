"""Chess as the companion knows games. The rules are python-chess's; the numbers (CH …) are those of RULES.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Annotated, ClassVar

import chess

from chess_by_camera.layout import LAYOUT, MAN
from companion.engine import Choose, Json, Observer, OpenGame, Over, Ply, ToMove, Turn, form
from companion.engine.codec import Codec, ValueKind
from companion.errors import IllegalError, Phrase, phrase
from companion.table import Layout, Placement

Square = Annotated[str, "square"]
Promotion = Annotated[str, "promotion"]
PROMOTIONS = ("queen", "rook", "bishop", "knight")
COLOURS = {chess.WHITE: "white", chess.BLACK: "black"}
WORTH = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}
MATE, STALEMATE, DEAD, QUIET = "checkmate", "stalemate", "nobody can be mated", "75 moves"
QUIET_PLIES = 150


@dataclass(frozen=True, slots=True)
class Move:
    """A piece goes from one square to another; of castling this is the king's way."""

    type: ClassVar[str] = "move"
    from_: Square
    to: Square
    promote: Promotion | None = None


@dataclass(frozen=True, slots=True)
class State:
    """`position` is what FEN says of pieces, turn, castling and taking in passing; `quiet` counts plies for CH 5.3.
    Positions that were reached in another order are the same."""

    position: str = " ".join(chess.STARTING_FEN.split()[:4])
    quiet: int = field(default=0, compare=False)


CODEC = Codec[Move]([Move], {
    "square": ValueKind(lambda given, where: form.one_of(given, where, chess.SQUARE_NAMES)),
    "promotion": ValueKind(lambda given, where: form.one_of(given, where, PROMOTIONS)),
})  # fmt: skip


@lru_cache(maxsize=4096)
def board_of(state: State) -> chess.Board:
    """The position as python-chess has it; never to be changed."""
    return chess.Board(f"{state.position} {state.quiet} 1")


def _written(move: Move) -> chess.Move:
    promoted = chess.PIECE_NAMES.index(move.promote) if move.promote else None
    return chess.Move(chess.parse_square(move.from_), chess.parse_square(move.to), promoted)


def _why_not(state: State, ply: Ply[Move]) -> IllegalError | None:
    """The rule that forbids a ply."""
    board, move, action = board_of(state), _written(ply.action), ply.action
    if isinstance(GAME.turn(state), Over) or ply.player != _seat(board.turn):
        return IllegalError("CH 1.2", phrase("ch.not_your_turn"))
    if board.color_at(move.from_square) != board.turn:
        return IllegalError("CH 2.1", phrase("ch.not_yours", at=action.from_))
    if board.is_legal(move):
        return None
    if board.color_at(move.to_square) == board.turn:
        return IllegalError("CH 2.2", phrase("ch.own_piece", at=action.to))
    if board.is_pseudo_legal(move):
        return IllegalError("CH 4.1", phrase("ch.king_attacked"))
    plain = chess.Move(move.from_square, move.to_square, None if action.promote else chess.QUEEN)
    if board.is_pseudo_legal(plain):
        return IllegalError("CH 3.2", phrase("ch.promotion"))
    name = chess.piece_name(board.piece_type_at(move.from_square) or chess.PAWN)
    return IllegalError("CH 3.1", phrase("ch.not_so", piece=name, origin=action.from_, at=action.to))


def _seat(colour: chess.Color) -> int:
    return 0 if colour == chess.WHITE else 1


class Chess(OpenGame[State, Move]):
    """Two players, white and black."""

    id = "chess"
    seats = (2,)
    words = Path(__file__).parent
    reasons = (MATE, STALEMATE, DEAD, QUIET)
    read_action = staticmethod(CODEC.read)

    def write_action(self, action: Move | Choose) -> Json:
        """The JSON of a move."""
        return CODEC.write(action)

    def read_options(self, given: Mapping[str, Json], players: int) -> Mapping[str, Json]:
        """None."""
        form.fields(given, "options", [])
        return {}

    def read_setup(self, given: Json, options: Mapping[str, Json], players: int) -> Json:
        """`{}`: every game begins alike."""
        form.fields(given, "setup", [])
        return {}

    def deal(self, players: int, options: Mapping[str, Json], rng: Random) -> Json:
        """The set-up."""
        return {}

    def layout(self, setup: Json) -> Layout:
        """The board."""
        return LAYOUT

    def start(self, setup: Json, options: Mapping[str, Json], players: int) -> State:
        """The first position."""
        return State()

    def turn(self, state: State) -> Turn:
        """Who is to move, or who has won (CH 5)."""
        board = board_of(state)
        if any(board.generate_legal_moves()):
            if board.is_insufficient_material() or state.quiet >= QUIET_PLIES:
                return Over((), DEAD if board.is_insufficient_material() else QUIET)
            return ToMove((_seat(board.turn),), phrase("ch.ask_check" if board.is_check() else "ch.ask"))
        return Over((_seat(not board.turn),), MATE) if board.is_check() else Over((), STALEMATE)

    def legal(self, state: State) -> Iterator[Ply[Move]]:
        """Every legal move."""
        board = board_of(state)
        for move in [] if isinstance(self.turn(state), Over) else board.legal_moves:
            promote = chess.piece_name(move.promotion) if move.promotion else None
            squares = chess.square_name(move.from_square), chess.square_name(move.to_square)
            yield Ply(_seat(board.turn), Move(*squares, promote))

    def apply(self, state: State, ply: Ply[Move]) -> State:
        """The position after a move; raises `IllegalError`."""
        if (error := _why_not(state, ply)) is not None:
            raise error
        after = board_of(state).copy(stack=False)
        after.push(_written(ply.action))
        return State(after.epd(), after.halfmove_clock)

    def scores(self, state: State) -> tuple[int, ...]:
        """What each side's pieces are worth."""
        men = board_of(state).piece_map().values()
        return tuple(sum(WORTH[man.piece_type] for man in men if man.color == colour) for colour in COLOURS)

    def placement(self, state: State) -> Placement:
        """The pieces on their squares."""
        men = sorted(board_of(state).piece_map().items())
        names = {square: f"{MAN.name}:{COLOURS[man.color]}:{chess.piece_name(man.piece_type)}" for square, man in men}
        return {f"square:{chess.square_name(square)}": (name,) for square, name in names.items()}

    def say(self, state: State, ply: Ply[Move], observer: Observer) -> Phrase:
        """The move in algebraic notation: "Qxf7#"."""
        return phrase("ch.move", san=board_of(state).san(_written(ply.action)))

    def explain(self, state: State, placement: Placement) -> list[tuple[Ply[Move], ...]]:
        """The one piece that seems to have gone from a square to another: if it may not, people are told why."""
        here = self.placement(state)
        left = [spot for spot in here if not placement.get(spot)]
        came = [spot for spot, men in placement.items() if men and men != here.get(spot)]
        seat = _seat(board_of(state).turn)
        ways = [(origin.partition(":")[2], to.partition(":")[2]) for origin in left for to in came]
        return [(Ply(seat, Move(*way)),) for way in ways[:4]]


GAME = Chess()
