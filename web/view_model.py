"""What the page shows, as plain values for the templates: made from a `Snapshot` and the words alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from companion.engine import Chance, Over, Seat, ToMove
from companion.errors import Phrase, PhraseArg, phrase
from companion.session.snapshot import ChoiceShown, CorrectionShown, PlyShown, Snapshot
from companion.table import (
    HINDERED,
    SHAPE_LETTERS,
    Appearance,
    Place,
    Placement,
    colour_of,
    seat_phrase,
    shape_of,
    standing,
)
from companion.table.spot_words import SEAT_LETTERS, seat_letter
from companion.words import Words
from web.draw import (
    PieceStyle,
    TouchMark,
    board,
    says_letters,
    seat_colour,
    short_name,
    tail,
    touchable_board,
)
from web.setup_view import DraftView


@dataclass(frozen=True, slots=True)
class SeatShown:
    """One seat's panel. `asked` is what it is to do now, else empty."""

    seat: Seat
    letter: str
    name: str
    paint: str
    score: int | None
    active: bool
    asked: str
    won: bool


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One line of the history."""

    n: int
    seat: SeatShown | None
    text: str
    by_hand: bool
    is_position: bool


@dataclass(frozen=True, slots=True)
class PictureChoice:
    """One picture of a question: what is said by tapping it, and the part of the board it is about."""

    text: str
    picture: Markup


class PageView:
    """A snapshot in a language. Methods are called by the templates; nothing here changes."""

    def __init__(self, shown: Snapshot, words: Words) -> None:
        self.shown, self.words = shown, words.of(shown.game).calling(_names(shown))
        self.paints = [seat_colour(each.seat, each.colour) for each in shown.players]
        self.draft = DraftView(shown, self.words) if shown.draft else None
        self._style = PieceStyle(self._owner, self.paints, self._code)
        self._owners = {each.colour: each.seat for each in shown.players if each.colour}

    def say(self, what: Phrase | str, /, **args: PhraseArg) -> str:
        """A phrase, or the page's own line of that id."""
        return self.words.say(phrase(what, **args) if isinstance(what, str) else what)

    def sentence(self, what: Phrase) -> str:
        """A phrase with a capital, for a line of its own."""
        return self.words.sentence(what)

    def name(self, word: str) -> str:
        """A name as players say it, with a capital."""
        said = self.say("web.name", what=word)
        return said[:1].upper() + said[1:]

    @property
    def home(self) -> str:
        """Where the way back leads: to the table, or to a new game while there is none."""
        return self.say("web.home" if self.shown.seen or self.draft else "web.home.begin")

    @property
    def placement(self) -> Placement:
        """What stands where, as it is drawn."""
        return self.draft.shown.placement if self.draft else self.shown.seen.placement if self.shown.seen else {}

    @property
    def turn(self) -> ToMove | Chance | Over | None:
        """Who is to act, or how the game ended; None without a game, and in one that people ended."""
        return self.shown.seen.turn if self.shown.seen and not self.stopped else None

    @property
    def stopped(self) -> bool:
        """Whether people ended the game that is shown, before its rules did."""
        return self.shown.seen is not None and self.shown.can_reopen

    @property
    def seats(self) -> list[SeatShown]:
        """In turn order, whoever is to act (or has won) first."""
        seats = [self._seat(n) for n in range(len(self.shown.players))]
        first = next((n for n, seat in enumerate(seats) if seat.active or seat.won), 0)
        return seats[first:] + seats[:first]

    def _seat(self, n: int) -> SeatShown:
        player, seen, turn = self.shown.players[n], self.shown.seen, self.turn
        active = isinstance(turn, ToMove) and player.seat in turn.seats
        won = isinstance(turn, Over) and player.seat in turn.winners
        asked = _sentence(self.say(turn.ask)) if isinstance(turn, ToMove) and active else self._won() if won else ""
        score = seen.scores[player.seat] if seen and player.seat < len(seen.scores) else None
        letter = seat_letter(player.seat)
        return SeatShown(player.seat, letter, player.name, self.paints[n], score, active, asked, won)

    def _won(self) -> str:
        return self.say("web.shared" if isinstance(self.turn, Over) and len(self.turn.winners) > 1 else "web.won")

    @property
    def announced(self) -> str:
        """One sentence that says how the game stands: for screen readers and the page's title."""
        turn = self.turn
        if isinstance(turn, ToMove):
            names = tuple(self.player(seat) for seat in turn.seats)
            return self.words.say(phrase("web.to_move", who=names, ask=turn.ask))
        if isinstance(turn, Chance):
            return _sentence(self.say(turn.ask))
        if isinstance(turn, Over):
            names = tuple(self.player(seat) for seat in turn.winners)
            return self.words.say(phrase("web.over", who=names) if names else phrase("web.over_nobody"))
        if self.draft:
            return self.say(self.draft.stage)
        return self.say("web.stopped" if self.stopped else "web.no_game")

    def player(self, seat: Seat) -> str:
        """The name of who sits there."""
        plain = seat_letter(seat)
        return next((each.name for each in self.shown.players if each.seat == seat), plain)

    @property
    def ended(self) -> str:
        """Why the game is over, or empty."""
        turn = self.turn
        if self.stopped:
            return self.say("web.stopped")
        return self.say("web.reason", reason=self.say("web.name", what=turn.reason)) if isinstance(turn, Over) else ""

    def paint(self, seat: Seat) -> str:
        """The colour of a seat, also of one at which nobody sits."""
        return self.paints[seat] if seat < len(self.paints) else seat_colour(seat)

    def panel_name(self, seat: Seat, letter: str) -> str:
        """Who sits there, or the seat's plain name."""
        return self.shown.players[seat].name if seat < len(self.shown.players) else self.say(
            "web.panel.seat", letter=letter)

    @property
    def undo_asked(self) -> str:
        """Who wants what taken back, or empty."""
        undo = self.shown.undo
        if not undo:
            return ""
        return self.say("web.undo.ask" if undo.plies == 1 else "web.undo.ask_many", who=self.player(undo.by),
                        plies=undo.plies)

    @property
    def undo_waits(self) -> str:
        """The names of those who have still to agree that a move is taken back."""
        waiting = self.shown.undo.waiting if self.shown.undo else ()
        return self.say("web.names", who=tuple(self.player(seat) for seat in waiting))

    @staticmethod
    def points(score: int | None) -> str:
        """A score with a true minus sign; a dash where there is none."""
        return "–" if score is None else str(score).replace("-", "−")

    @staticmethod
    def rgb(parts: Sequence[float]) -> str:
        """A lamp's colour, each part 0 to 1."""
        return "#" + "".join(f"{round(255 * min(max(part, 0.0), 1.0)):02x}" for part in parts)

    @property
    def history(self) -> list[HistoryLine]:
        """The last plies, newest first."""
        return [self._line(ply) for ply in reversed(self.shown.last)]

    def _line(self, ply: PlyShown) -> HistoryLine:
        seat = self._seat(ply.player) if isinstance(ply.player, int) and ply.player < len(self.shown.players) else None
        return HistoryLine(ply.n, seat, _capital(self.say(ply.phrase)), ply.source not in ("camera", "simulation"),
                           ply.is_position)

    @property
    def eyes_hindered(self) -> str:
        """What a person has to do so that the companion can see again, or empty."""
        eyes = self.shown.eyes
        if eyes.state not in HINDERED:
            return ""
        return self.say(eyes.why) if eyes.why else self.say(f"web.eyes.{eyes.state}")

    @property
    def eyes_briefly(self) -> str:
        """What the eyes do, in one line: what is to be done about it stands elsewhere on the page."""
        return self.say("web.eyes.title") if self.eyes_hindered else self.eyes

    @property
    def eyes(self) -> str:
        """What the eyes do, in words: what they learn while they start, too."""
        eyes = self.shown.eyes
        if eyes.why and eyes.state == "starting":
            return self.say(eyes.why)
        if eyes.state == "none" and self.ended:
            return self.say("web.eyes.none_over")
        return self.eyes_hindered or self.say(f"web.eyes.{eyes.state}")

    @property
    def board(self) -> Markup:
        """The board now, with the last ply; what is asked about breathes."""
        seen, layout = self.shown.seen, self.shown.layout
        if self.draft and layout:
            return board(layout, self.draft.shown.placement, title=self.say("web.board"), unsure=self.draft.unsure,
                         style=self._style)
        if not seen or not layout:
            return Markup()
        asked = {spot for choice in self._choices for spot in choice.touched} - {zone.spot for zone in layout.zones}
        return board(layout, seen.placement, title=self.say("web.board"), before=self.shown.before, unsure=asked,
                     style=self._style)

    def standing_places(self, placement: Placement) -> tuple[Place, ...]:
        """The places of the board when this stands on it."""
        layout = self.shown.layout
        return standing(layout, placement).places if layout else ()

    def touchable(self, marks: Sequence[TouchMark], placement: Placement | None = None) -> Markup:
        """The board now, with what can be touched; or as it was, if `placement` says it."""
        seen, layout = self.shown.seen, self.shown.layout
        if not seen or not layout:
            return Markup()
        then, before = (seen.placement, self.shown.before) if placement is None else (placement, None)
        return touchable_board(layout, then, marks, title=self.say("web.board"), before=before, style=self._style)

    @property
    def legend(self) -> list[tuple[str, str]]:
        """The letters of the shapes of drinks that stand on the table."""
        shapes = {shape_of(piece) for pieces in self.placement.values() for piece in pieces}
        return [(letter, self.say("web.name", what=shape)) for shape, letter in SHAPE_LETTERS.items()
                if shape in shapes]

    @property
    def _choices(self) -> tuple[ChoiceShown, ...]:
        return self.shown.question.choices if self.shown.question else ()

    @property
    def options(self) -> list[PictureChoice]:
        """The choices of the open question, as pictures of what would have changed since now."""
        now = self.shown.seen.placement if self.shown.seen else {}
        return [self._option(choice.plies, choice.placement, now) for choice in self._choices]

    def plies(self, plies: Sequence[Phrase]) -> str:
        """Plies in words, or that nothing was played."""
        return _capital(self.words.say(phrase("web.plies", plies=tuple(plies)))) if plies else self.say("web.nothing")

    def changed(self, placement: Placement, title: str) -> Markup:
        """What would be elsewhere on the board if this stood there, as a picture."""
        return self._picture(placement, self.shown.seen.placement if self.shown.seen else {}, title)

    def correction(self, offer: CorrectionShown) -> PictureChoice:
        """What could have been played instead of the last ply, as a picture of what it would have changed."""
        return self._option(offer.phrases, offer.placement, self.shown.before or {})

    def _option(self, plies: Sequence[Phrase], placement: Placement, then: Placement) -> PictureChoice:
        text = self.plies(plies)
        return PictureChoice(text, self._picture(placement, then, text))

    def _picture(self, placement: Placement, then: Placement, title: str) -> Markup:
        layout = self.shown.layout
        return board(layout, placement, title=title, before=then, style=self._style, crop=True) if layout else Markup()

    @property
    def codes(self) -> list[tuple[str, str]]:
        """What the letters on the flat pieces of the board mean."""
        names = {self._code(piece): self.name(tail(piece)) for pieces in self.placement.values() for piece in pieces
                 if says_letters(piece)}
        return sorted(names.items())

    def _code(self, appearance: Appearance) -> str:
        known = f"short.{tail(appearance)}"
        return self.say(known) if known in self.words else short_name(appearance)

    def _owner(self, appearance: Appearance) -> Seat | None:
        return self.shown.owners.get(appearance, self._owners.get(colour_of(appearance)))


def _names(shown: Snapshot) -> dict[str, str]:
    """What the phrases of seats are said as."""
    return {seat_phrase(each.seat).id: each.name for each in shown.players if each.seat < len(SEAT_LETTERS)}


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _sentence(text: str) -> str:
    return _capital(text) if text[-1:] in ".!?…" else f"{_capital(text)}."

