"""What of a set-up only one seat may see while the game is on: whose it is, and the set-up as another may know it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from companion.engine import AnyGame, Json, Observer, Seat, SetupPath
from companion.engine.recognise import filled, leaves


@dataclass(frozen=True, slots=True)
class HiddenParts:
    """The parts of a game's set-up that are hidden from the room and shown to one seat, by their paths."""

    owners: Mapping[SetupPath, Seat]

    def owner(self, path: SetupPath) -> Seat | None:
        """Who alone sees the part; None: everybody does."""
        return next((seat for part, seat in self.owners.items() if path[: len(part)] == part), None)

    def sees(self, observer: Observer, path: SetupPath) -> bool:
        """Whether this observer may see the part."""
        return self.owner(path) in (None, observer)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that see something alone."""
        return tuple(sorted(set(self.owners.values())))

    def with_own(self, setup: Json, other: Json, seat: Observer) -> Json:
        """The set-up with what `other` has in the parts that this seat alone sees."""
        for path, value in leaves(other) if setup is not None else ():
            if self.owner(path) == seat:
                setup = filled(setup, path, value)
        return setup

    def veiled(self, setup: Json, observer: Observer) -> Json:
        """The set-up with null for what this observer may not see."""
        for path, value in leaves(setup) if self.owners else ():
            if value is not None and not self.sees(observer, path):
                setup = filled(setup, path, None)
        return setup


def hidden_parts(game: AnyGame, setup: Json, options: Mapping[str, Json], players: int) -> HiddenParts:
    """Whose parts a whole set-up has; any of this many players and these options will do."""
    hidden = tuple(_nulled(setup, game.open_setup(setup, options, "room")))
    seats = {seat: tuple(_nulled(setup, game.open_setup(setup, options, seat))) for seat in range(players)}
    owners = {path: [seat for seat, nulled in seats.items() if path not in nulled] for path in hidden}
    return HiddenParts({path: own[0] for path, own in owners.items() if own})


def _nulled(whole: Json, shown: Json, path: SetupPath = ()) -> Iterator[SetupPath]:
    """Where `shown` has null and the whole set-up has something."""
    if shown is None and whole is not None:
        yield path
    elif isinstance(whole, Mapping):
        for key, each in whole.items():
            yield from _nulled(each, shown.get(key), (*path, key))
    elif isinstance(whole, (list, tuple)):
        for index, each in enumerate(whole):
            yield from _nulled(each, shown[index], (*path, index))
