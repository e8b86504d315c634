"""Why something on the board cannot be touched now: the rule that forbids the plies it would belong to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from companion.engine import AnyGame, Json, record
from companion.errors import CompanionError, IllegalError, Phrase, phrase
from companion.session.by_hand.entry import EnterablePly
from companion.session.by_hand.fields import SpotFamily, parts_of, spelled, value_of, with_value
from companion.session.by_hand.handles import Handle, Ties

MAX_TRIED: Final = 60
"""So many legal plies are tried with what was touched in the place of what they have."""


@dataclass(frozen=True)
class Reasons:
    """What the rules say against touching something, in the state `before`."""

    game: AnyGame
    before: Any
    ties: Ties

    def why_not(self, left: Sequence[EnterablePly], touched: Collection[Handle], handle: Handle) -> Phrase:
        """The reason that most of the plies in question are refused for; `left` are those that fit what was touched."""
        reasons = Counter(reason for ply in left[:: len(left) // MAX_TRIED + 1] if ply.choose is None
                          for written in self._with(ply, touched, handle)
                          if (reason := self._refused(written)) is not None)
        return max(reasons, key=lambda each: reasons[each], default=phrase("entry.not_now"))

    def _with(self, ply: EnterablePly, touched: Collection[Handle], handle: Handle) -> Iterator[dict[str, Json]]:
        """The ply with the handle in the place of one of its own that was not touched."""
        for path, value in ply.fields.scalars.items():
            tie = self.ties.of.get((ply.fields.shape, path))
            if isinstance(tie, SpotFamily):
                own = self.ties.spot_of(tie, parts_of(value))
                run = tie.value_in(handle.spot)
                named = [] if run is None or own in touched else [value_of(run, value)]
            elif isinstance(tie, str) and handle.piece and spelled(tie)[0] == spelled(handle.spot)[0]:
                named = [handle.piece, handle.piece.partition(":")[2]]
            else:
                named = []
            for each in named:
                if each:
                    yield {**ply.written, "action": with_value(ply.written["action"], path, each)}

    def _refused(self, written: dict[str, Json]) -> Phrase | None:
        try:
            self.game.apply(self.before, record.read_ply(written, self.game, "ply"))
        except IllegalError as error:
            return phrase("entry.by_rule", why=error.phrase, rule=error.rule)
        except CompanionError:
            return None
        return None
