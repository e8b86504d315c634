"""A table of no game, with every way to lie on it: what is weighed look by look, `tests/data/stories/evidence.txt`.

    python -m tests.interpret.told_stories     # writes it anew, with the stories
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random

from companion.interpret.believed_pieces import as_it_lay, believed_pieces, tracks_after
from companion.interpret.contradictions import differences, unexplained
from companion.interpret.evidence import Evidence, TableTracks
from companion.interpret.layout_index import index_layout
from companion.interpret.trial_eyes import TrialEyes, TrialNoise, lay_tidily
from companion.interpret.weighing import weigh, with_strays
from companion.table import BOARD_KIND, CRATE_KIND, DRINK_KIND, Body, Heap, Layout, Place, Placement, Spot, Zone

COINS = ("coin:ant", "coin:bee", "coin:back")
DRINKS = ("red/stub_can", "red/tall_can", "blue/tall_can", "blue/tallest_bottle")
TRAYS = ("tray:1", "tray:2")


def _zone(spot: Spot, x: float, kind: str, heap: Heap = "spread") -> Zone:
    corners = ((x, 0.0), (x + 60.0, 0.0), (x + 60.0, 60.0), (x, 60.0))
    return Zone(spot, corners, (kind,), heap=heap)


LAYOUT = Layout(
    bodies=(Body("board", "board", (50.0, 250.0), (90.0, 90.0, 5.0), 10.0),),
    places=(
        Place("hex:0", (40.0, 240.0), (30.0, 30.0), ("coin",), "hex", on="board"),
        Place("mark:0", (40.0, 240.0), (30.0, 30.0), ("mark",), "round", on="board", under="hex:0"),
        Place("hex:1", (75.0, 240.0), (30.0, 30.0), ("coin",), "hex", on="board", stack=3),
        Place("tray:0:1", (150.0, 250.0), (40.0, 40.0), ("tray",), "rect"),
        Place("cell:0", (220.0, 250.0), (31.0, 46.0), ("crate",), floor_mm=4.0),
        Place("cell:1", (251.0, 250.0), (31.0, 46.0), ("crate",)),
        Place("cell:2", (400.0, 250.0), (31.0, 46.0), ("crate",)),
        Place("slot:0", (213.0, 250.0), (14.0, 14.0), ("drink",), on="cell:0"),
        Place("slot:1", (244.0, 250.0), (14.0, 14.0), ("drink",), on="cell:1"),
    ),
    zones=(_zone("discard", 0.0, "coin", "pile"), _zone("supply", 100.0, "coin", "alike"),
           _zone("hand:1", 200.0, "coin"), _zone("stock:0", 300.0, "drink")),
    size_mm=(450.0, 300.0), kinds=(DRINK_KIND, CRATE_KIND, BOARD_KIND),
)
PIECES: Mapping[Spot, tuple[Sequence[str], int]] = {
    "hex:0": (COINS, 1), "mark:0": (("mark:w",), 1), "hex:1": (COINS, 3), "tray:0:1": (TRAYS, 1),
    "cell:0": (("crate",), 1), "cell:1": (("crate",), 1), "slot:0": (DRINKS, 1), "slot:1": (DRINKS, 1),
    "discard": (COINS, 3), "supply": (COINS, 4), "hand:1": (COINS, 2), "stock:0": (DRINKS, 4),
}
"""What may lie on each spot, and how many at most."""
NOISE = TrialNoise(seed=9, nats=1.5, confused=0.3, missed=0.1, extra=0.3)
LOOKS = 24


def told_evidence() -> str:
    """All looks as the file has them."""
    return "\n".join(_looks()) + "\n"


def _looks() -> Iterator[str]:
    rng, index = Random(6), index_layout(LAYOUT)
    names = {"coin": COINS, "drink": DRINKS, "tray": TRAYS, "mark": ("mark:w",), "crate": ("crate",)}
    eyes, last, earlier = TrialEyes(LAYOUT, names, NOISE), TableTracks(), TableTracks()
    here: Placement = {}
    for n in range(LOOKS):
        there = _changed(here, rng, 12 if n == 0 else 3)
        seen = eyes.look(float(n), lay_tidily(LAYOUT, there, {"hex:1": n // 4}))
        if n % 3 == 2:  # a part of the table is covered
            seen = replace(seen, sights=seen.sights[3:], zones=seen.zones - {"stock:0"})
        evidence = with_strays(replace(weigh(seen, last, index), laid=last, lay=here), here)
        yield f"\nlook {n}: {_placed(there)}"
        yield f"  covered {sorted(evidence.covered)}, glimpsed {sorted(evidence.glimpsed)}"
        yield from _weighed(evidence, here, there, rng)
        last, earlier = tracks_after(evidence, here, there), last
        yield from _kept(last, as_it_lay(last, earlier, index), there)
        here = there


def _changed(placement: Placement, rng: Random, times: int) -> Placement:
    """The same with some spots changed; drinks stand in crates only."""
    found = {spot: list(pieces) for spot, pieces in placement.items()}
    for spot in rng.sample(list(PIECES), times):
        names, most = PIECES[spot]
        found[spot] = [rng.choice(names) for _ in range(rng.randint(0, most))]
    for slot, cell in (("slot:0", "cell:0"), ("slot:1", "cell:1")):
        if not found.get(cell):
            found.pop(slot, None)
    return {spot: tuple(pieces) for spot, pieces in found.items()}


def _placed(placement: Placement) -> str:
    return ", ".join(f"{spot} {' '.join(pieces)}" for spot, pieces in placement.items() if pieces)


def _costs(costs: Mapping[Spot, float]) -> str:
    return ", ".join(f"{spot} {cost:.2f}" for spot, cost in sorted(costs.items()) if abs(cost) >= 0.005)


def _weighed(evidence: Evidence, here: Placement, there: Placement, rng: Random) -> Iterator[str]:
    """What the look costs as it is, as if nothing had happened, and as something else."""
    handled = [spot for spot in PIECES if here.get(spot, ()) != there.get(spot, ())]
    yield f"  true {_costs(evidence.costs(here, there, handled))}"
    yield f"  unhandled {_costs(evidence.costs(here, there))}"
    yield f"  unchanged {_costs(evidence.costs(here, here))}"
    other = _changed(there, rng, 3)
    yield f"  other {_placed(other)}"
    yield f"    costs {_costs(evidence.costs(here, other, rng.sample(list(PIECES), 5)))}"
    yield f"    read {_costs(evidence.readings(here, other))}, odd {unexplained(evidence, {}, other)}"
    floor = evidence.readings(here, there)
    yield f"    hides {evidence.hides(set(PIECES), other)}, odd by now {unexplained(evidence, floor, other)}"
    given = replace(evidence, given={spot: there.get(spot, ()) for spot in handled}, given_seen=evidence.last)
    yield f"    given {_costs(given.costs(here, other, handled))}"
    yield from (f"    {each.sentence()}" for each in differences(evidence, floor, other))


def _kept(seen: TableTracks, as_before: TableTracks, placement: Placement) -> Iterator[str]:
    for zone, things in sorted(seen.zones.items()):
        lie = [f"{each.at_mm[0]:.2f} {each.at_mm[1]:.2f} ×{each.looks} stray {each.stray_nats:.1f}" for each in things]
        yield f"  in {zone}: {'; '.join(lie)}"
    counts = [(zone, len(things)) for zone, things in sorted(as_before.zones.items())]
    yield f"  lay {counts} {sorted(as_before.places)}"
    at = {spot: thing.at_mm for spot, thing in seen.places.items()} | {"board": (50.0, 250.0)}
    for each in believed_pieces(LAYOUT, placement, seen, at):
        yield f"  {each.spot} {each.at_mm[0]:.1f} {each.at_mm[1]:.1f} {each.appearance or ' or '.join(each.among)}"
