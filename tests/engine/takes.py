"""Takes, less than a game: whatever is taken is taken, in any state. For laws that look at single plies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from companion.engine import Ply, ToMove, Turn
from companion.engine.codec import Codec, whole_between
from companion.errors import phrase
from tests.engine.dare import KINDS, Bid, Dare, Deal


class Takes(Dare):
    """Applies everything."""

    @dataclass(frozen=True, slots=True)
    class Take:
        type: ClassVar[str] = "take"
        at: Annotated[int, "place"]
        what: tuple[str, ...] = ()

    @dataclass(frozen=True, slots=True)
    class Leave:
        type: ClassVar[str] = "leave"

    codec: Codec[Any] = Codec([Take, Leave, Bid, Deal], KINDS | {"place": whole_between(1, 9)})

    def turn(self, state: Any) -> Turn:
        return ToMove((0,), phrase("dare.say"))

    def legal(self, state: Any) -> Any:
        return iter(())

    def apply(self, state: Any, ply: Ply[Any]) -> Any:
        return state
