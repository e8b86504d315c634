import math
from dataclasses import replace

from companion.interpret.evidence import Evidence, TableTracks
from companion.interpret.layout_index import index_layout
from companion.interpret.matching import WORST_NATS
from companion.interpret.tracks import Track, costs_of, link, track_of
from companion.interpret.weighing import weigh, with_strays
from companion.table import CRATE_KIND, DRINK_KIND, EMPTY, Layout, Observation, Place, Placement, Sight, Zone

SQUARE = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
LAYOUT = Layout(
    bodies=(),
    places=(
        Place("hex:0", (0.0, 0.0), (30.0, 30.0), ("coin",), "hex"),
        Place("marker:0", (0.0, 0.0), (30.0, 30.0), ("marker",), "round", under="hex:0"),
        Place("cell:0", (99.0, 0.0), (31.0, 46.0), ("crate",)),
        Place("slot:0", (99.0, 0.0), (14.0, 14.0), ("drink",), on="cell:0"),
    ),
    zones=(
        Zone("discard", SQUARE, ("coin",), heap="pile"), Zone("supply", SQUARE, ("coin",), heap="alike"),
        Zone("coins", SQUARE, ("coin",)), Zone("stock", SQUARE, ("drink",)),
    ),
    size_mm=(200.0, 200.0),
    kinds=(DRINK_KIND, CRATE_KIND),
)
GROUND = index_layout(LAYOUT)


def sight(spot: str, name: str, x: float = 0.0, turn_deg: float = 0.0) -> Sight:
    names = ("coin:a", "coin:b", "coin:back", "marker:w", "crate", "red/stub_can", EMPTY)
    return Sight(spot, (x, 0.0), {**dict.fromkeys(names, -30.0), name: 0.0}, turn_deg)


def look(*sights: Sight, last: TableTracks | None = None, lay: Placement | None = None) -> Evidence:
    zones = frozenset(zone.spot for zone in LAYOUT.zones)
    evidence = weigh(Observation(0.0, sights, zones), last or TableTracks(), GROUND)
    return replace(evidence, laid=last or TableTracks(), lay=lay or {})


def zone_of(*tracks: Sight) -> TableTracks:
    found: dict[str, tuple[Track, ...]] = {}
    for each in tracks:
        found[each.spot] = (*found.get(each.spot, ()), track_of(each))
    return TableTracks(found)


def test_the_other_side_of_a_coin_is_that_coin_and_is_remembered() -> None:
    yen = Sight("coins", (0.0, 0.0), {"yen:500": -9.0, "yen:500:back": 0.0, EMPTY: -30.0})

    assert costs_of(yen) == {"yen:500": 0.0, EMPTY: 15.0}
    assert track_of(yen).back_nats["yen:500"] > 0


def test_a_back_of_its_own_is_no_other_side() -> None:
    tray = Sight("grid:a1", (0.0, 0.0), {"tray:1": -9.0, "tray:back": 0.0, EMPTY: -30.0})

    assert costs_of(tray) == {"tray:1": 9.0, "tray:back": 0.0, EMPTY: 15.0}


def test_of_a_pile_only_the_top_counts() -> None:
    evidence = look(sight("discard", "coin:b"))

    assert evidence.reading_cost("discard", {}, {"discard": ("coin:a", "coin:b")}) == 0.0
    assert evidence.reading_cost("discard", {}, {"discard": ("coin:b", "coin:a")}) > 9.0


def test_equal_pieces_may_lie_on_one_pile_or_on_several() -> None:
    three = {"supply": ("coin:a",) * 3 + ("coin:b",)}
    one = look(sight("supply", "coin:a"), sight("supply", "coin:b", 40.0))
    two = look(sight("supply", "coin:a"), sight("supply", "coin:b", 40.0), sight("supply", "coin:a", 80.0))
    other = look(sight("supply", "coin:a"))

    assert one.reading_cost("supply", {}, three) == two.reading_cost("supply", {}, three) == 0.0
    assert other.reading_cost("supply", {}, three) > 5.0


def test_a_pile_with_the_same_face_but_another_turn_was_handled() -> None:
    last = zone_of(sight("discard", "coin:a"))
    before, after = {"discard": ("coin:a",)}, {"discard": ("coin:a", "coin:a")}
    evidence = look(sight("discard", "coin:a", 0.5, 70.0), last=last, lay=before)

    left_alone = evidence.spot_cost("discard", before, before)
    laid = evidence.spot_cost("discard", before, after, {"discard"})
    assert laid == 0.0 < left_alone


def test_a_supply_that_lost_one_of_a_kind_shows_which_pile_it_was() -> None:
    last = zone_of(sight("supply", "coin:a"), sight("supply", "coin:b", 40.0))
    before = {"supply": ("coin:a", "coin:a", "coin:b", "coin:b")}
    evidence = look(sight("supply", "coin:a", 0.5, 70.0), sight("supply", "coin:b", 40.0), last=last, lay=before)

    costs = {
        gone: evidence.spot_cost("supply", before, {"supply": after})
        for gone, after in (("a", ("coin:a", "coin:b", "coin:b")), ("b", ("coin:a", "coin:a", "coin:b")))
    }
    assert costs["a"] == 0.0
    assert costs["b"] > 10.0


def test_drinks_that_changed_places_in_a_stock_nobody_played_from_were_rearranged_once_in_twenty_looks() -> None:
    def standing(*names: str) -> tuple[Sight, ...]:
        return tuple(Sight("stock", (40.0 * n, 0.0), {"can": -30.0, "bottle": -30.0, name: 0.0})
                     for n, name in enumerate(names))

    both = {"stock": ("can", "bottle")}
    evidence = look(*standing("bottle", "can"), last=zone_of(*standing("can", "bottle")))

    assert 0.03 < math.exp(-evidence.reading_cost("stock", both, both)) < 0.07
    assert evidence.reading_cost("stock", both, both, handled={"stock"}) == 0.0
    still = look(*standing("can", "bottle"), last=zone_of(*standing("can", "bottle")))
    assert still.reading_cost("stock", both, both) == 0.0


def test_the_can_that_went_from_a_stock_that_nobody_touched_else_is_the_one_that_was_played() -> None:
    def standing(*xs: float) -> tuple[Sight, ...]:
        names = {0.0: {"short": 0.0, "tall": -4.0}, 40.0: {"short": -6.0, "tall": 0.0}}
        return tuple(Sight("stock", (x, 0.0), names[round(x, -1)]) for x in xs)

    def doubt(*xs: float) -> float:
        """What speaks against the tall one having stayed, where it is the short one that stands there."""
        evidence = look(*standing(*xs), last=zone_of(*standing(0.0, 40.0)))
        short, tall = (evidence.reading_cost("stock", both, {"stock": (name,)}) for name in ("short", "tall"))
        return tall - short

    both = {"stock": ("short", "tall")}
    assert doubt(0.3) > 9.0  # both readings speak for it, and to change places one of them was put down just there
    assert doubt(2.0) == 4.0  # what was touched may be another one


def test_a_marker_under_a_coin_is_out_of_sight_not_covered() -> None:
    evidence = look(sight("hex:0", "coin:a"))

    assert not evidence.hides({"marker:0"}, {"hex:0": ("coin:a",), "marker:0": ("marker:w",)})
    assert evidence.hides({"marker:0"}, {"marker:0": ("marker:w",)})


def test_a_slot_on_a_cell_that_is_seen_empty_is_empty() -> None:
    evidence = look(sight("cell:0", EMPTY))

    assert evidence.place_cost("slot:0", ()) == 0.0
    assert evidence.place_cost("slot:0", ("red/stub_can",)) == 15.0


def test_things_are_paired_with_the_nearest() -> None:
    old = [track_of(sight("coins", "coin:a", x)) for x in (0.0, 40.0)]
    new = [track_of(sight("coins", "coin:a", x)) for x in (41.0, 90.0)]

    linked = link(old, new)

    assert [t.at_mm[0] for t in linked.stayed] == [41.0]
    assert [t.at_mm[0] for t in (*linked.went, *linked.came)] == [0.0, 90.0]


def test_of_a_piece_that_was_turned_over_only_what_is_seen_now_counts() -> None:
    """A back shows no turn."""
    face, back = sight("coins", "coin:a"), replace(sight("coins", "coin:back"), turn_deg=None)

    stayed, = link([track_of(face)], [track_of(back)]).stayed

    assert stayed.costs == track_of(back).costs


def test_drinks_that_were_taken_away_and_brought_back_are_read_anew() -> None:
    there = {"stock": ("red/stub_can",)}
    last = zone_of(Sight("stock", (5.0, 5.0), {"red/stub_can": 0.0, EMPTY: -30.0}))
    back = Sight("stock", (6.0, 5.5), {"red/stub_can": 0.0, EMPTY: -30.0})

    moved, still = (look(each, last=last, lay=there) for each in (back, replace(back, fresh=False)))

    assert moved.touch_cost("stock", there, {"stock"}) < -3.0
    assert still.touch_cost("stock", there, {"stock"}) > 5.0
    assert moved.touch_cost("stock", there, ()) == still.touch_cost("stock", there, ()) == 0.0


def test_what_stands_upright_was_not_handled_because_it_is_read_elsewhere() -> None:
    last = TableTracks(places={"slot:0": Track("slot:0", (99.0, 0.0), {"red/stub_can": 0.0})})
    there = {"slot:0": ("red/stub_can",)}
    evidence = look(Sight("slot:0", (103.0, 0.0), {"red/stub_can": 0.0, EMPTY: -30.0}), last=last, lay=there)

    assert evidence.touch_cost("slot:0", there, ()) == 0.0


def test_what_doubted_plies_left_there_lay_so_already() -> None:
    """A coin laid on a pile and seen; if another ply had laid the very same one, it would lie as it did then."""
    pile = {"discard": ("coin:back", "coin:a")}
    given = zone_of(sight("discard", "coin:a", turn_deg=10.0))
    evidence = replace(
        look(sight("discard", "coin:a", turn_deg=80.0), last=zone_of(sight("discard", "coin:back")),
             lay={"discard": ("coin:back",)}),
        given=pile, given_seen=given,
    )

    assert evidence.lay_so("discard", pile)
    assert evidence.touch_cost("discard", pile, ()) > 7.0
    assert evidence.touch_cost("discard", {"discard": ("coin:back", "coin:b", "coin:a")}, {"discard"}) == 0.0


def test_a_thing_that_looks_like_a_piece_that_stands_elsewhere_is_no_stray_piece() -> None:
    before: Placement = {"slot:0": ("red/stub_can",)}
    thing = sight("stock", "red/stub_can")

    stands = with_strays(look(thing, sight("slot:0", "red/stub_can")), before).zones["stock"][0]
    gone = with_strays(look(thing, sight("slot:0", EMPTY)), before).zones["stock"][0]
    covered = with_strays(look(thing), before).zones["stock"][0]

    assert stands.stray_nats == WORST_NATS
    assert gone.stray_nats == covered.stray_nats == 0.0


def test_of_pieces_of_which_there_are_several_one_more_may_lie_anywhere() -> None:
    before: Placement = {"coins": ("coin:a",), "supply": ("coin:a",)}
    evidence = with_strays(look(sight("stock", "coin:a"), sight("coins", "coin:a"), sight("supply", "coin:a")), before)

    assert evidence.zones["stock"][0].stray_nats == 0.0


def test_a_slot_that_looks_as_before_holds_what_it_held() -> None:
    before, other = {"slot:0": ("red/stub_can",)}, {"slot:0": ("coin:a",)}
    last = TableTracks(places={"slot:0": track_of(sight("slot:0", "red/stub_can"))})
    repeated = look(replace(sight("slot:0", "red/stub_can"), fresh=False), last=last, lay=before)
    anew = look(sight("slot:0", "red/stub_can"), last=last, lay=before)

    assert repeated.spot_cost("slot:0", before, before) == anew.spot_cost("slot:0", before, before) == 0.0
    assert repeated.spot_cost("slot:0", before, other) > anew.spot_cost("slot:0", before, other) + 2.0
    assert repeated.reading_cost("slot:0", before, other) == anew.reading_cost("slot:0", before, other)
    assert repeated.spot_cost("slot:0", before, {}) == anew.spot_cost("slot:0", before, {}), "that is what is read"
