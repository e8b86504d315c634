"""What people are told of a journal that was salvaged."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from companion.errors import Phrase, PhraseArg, phrase
from companion.session.journal.build import Loss, Saved

MAX_LOSSES: Final = 8
"""How many games are told by their numbers."""


def salvaged(where: Path, saved: Saved) -> Phrase:
    """The journal was damaged; it is kept, and what could be read is saved."""
    return phrase("journal.damaged", where=str(where), saved=count(saved), lost=losses(saved))


def count(saved: Saved) -> Phrase:
    """How much there is."""
    return phrase("journal.count", lines=saved.lines, games=saved.games)


def losses(saved: Saved) -> Phrase:
    """What is missing of which games."""
    told: list[PhraseArg] = [_loss(each) for each in saved.losses[:MAX_LOSSES]]
    told += [phrase("journal.loss.names", game=game) for game in saved.nameless[:MAX_LOSSES]]
    more = max(0, len(saved.losses) - MAX_LOSSES) + max(0, len(saved.nameless) - MAX_LOSSES)
    if more:
        told.append(phrase("journal.loss.more", number=more))
    return phrase("journal.losses", what=tuple(told)) if told else phrase("journal.no_loss")


def _loss(loss: Loss) -> Phrase:
    if loss.whole:
        return phrase("journal.loss.game", game=loss.game)
    if loss.lines is None:
        return phrase("journal.loss.end", game=loss.game)
    return phrase("journal.loss.lines", game=loss.game, lines=loss.lines)
