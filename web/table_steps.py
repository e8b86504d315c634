"""The steps of setting up the own table: what each is called, whether it is done, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from companion.errors import Phrase, phrase
from companion.session.config import SourceKind
from companion.session.snapshot import EyesShown
from companion.table.tag_card import TAG_CARDS
from web.ports import EnrolPort, OwnTablePort, PanelPort

ALL_CARDS: Final = tuple(TAG_CARDS)
CARD_PLACES: Final = ("front_left", "front_right", "back_right", "back_left")

StepState = Literal["done", "todo", "wrong"]
STATE_WORDS: Final[Mapping[StepState, str]] = {
    "done": "web.setup.done", "todo": "web.setup.todo", "wrong": "web.setup.wrong"}

INSTEAD_WORDS: Final[Mapping[SourceKind, str]] = {
    "none": "setup.camera.none", "folder": "setup.camera.set", "demo": "setup.camera.set",
    "video": "setup.camera.video", "kept": "setup.camera.kept"}
"""What there is instead of a camera."""


@dataclass(frozen=True, slots=True)
class TableStep:
    """One step: its name, what it is called in words, the page it is done on, and how it stands."""

    name: str
    words: str
    where: str
    state: StepState
    said: Phrase


def card_place(card: int) -> Phrase:
    """Where a tag card belongs."""
    return phrase(f"cards.{CARD_PLACES[card]}")


def table_steps(
    own: OwnTablePort, eyes: EyesShown, enrolments: EnrolPort | None, panel: PanelPort | None, has_pin: bool,
    games: Collection[str] = (), boards: Collection[str] = (),
) -> tuple[TableStep, ...]:
    """All steps, in the order in which they are best done. `games` are the ids of those that can be played, `boards`
    of those that need nothing but a board's corners."""
    return (
        TableStep("camera", "web.setup.camera", "/setup/camera", *_camera(own, eyes)),
        TableStep("cards", "web.setup.cards", "/setup/cards", *_cards(own)),
        TableStep("lens", "web.setup.lens", "/setup/lens", *_lens(own)),
        TableStep("zones", "web.setup.zones", "/setup/zones", *_zones(own, games)),
        *_corners(own, boards),
        TableStep("pieces", "web.setup.pieces", "/enrol", *_pieces(enrolments)),
        TableStep("panel", "web.setup.panel", "/panel", *_panel(panel)),
        TableStep("names", "web.setup.names", "/setup/names", *_names(own, has_pin)),
    )


def _camera(own: OwnTablePort, eyes: EyesShown) -> tuple[StepState, Phrase]:
    kind, seen = own.config.source.kind, own.survey()
    if kind is None:
        return "todo", phrase("setup.camera.open")
    if kind != "camera":
        return "done", phrase(INSTEAD_WORDS[kind])
    if eyes.state == "gone" and eyes.why is not None:
        return "wrong", eyes.why
    if seen is None:
        return "todo", phrase("setup.camera.waits")
    if seen.faults:
        return "wrong", seen.faults[0]
    return "done", phrase("doctor.camera", width=seen.width, height=seen.height)


def _cards(own: OwnTablePort) -> tuple[StepState, Phrase]:
    seen = own.survey()
    if own.config.source.kind != "camera":
        return "todo", phrase("setup.cards.no_camera")
    if seen is None:
        return "todo", phrase("setup.camera.waits")
    missing = tuple(str(card) for card in ALL_CARDS if card not in seen.cards)
    if missing:
        return ("todo" if len(missing) == len(ALL_CARDS) else "wrong"), phrase(
            "setup.cards.missing", number=len(ALL_CARDS) - len(missing), cards=missing)
    return "done", phrase("setup.cards.all")


def _lens(own: OwnTablePort) -> tuple[StepState, Phrase]:
    name, degrees = own.lens
    if own.config.source.lens is None:
        return "todo", phrase("setup.lens.usual")
    if not name:
        return "done", phrase("setup.lens.file", where=own.config.source.lens.name)
    known = own.lenses.get(name)
    return "done", phrase("setup.lens.known", given=known.name if known else phrase("setup.lens.other"),
                          degrees=f"{degrees:g}")


def _zones(own: OwnTablePort, games: Collection[str]) -> tuple[StepState, Phrase]:
    if own.config.source.kind != "camera":
        return "todo", phrase("setup.zones.no_camera")
    laid = own.laid
    there = tuple(game for game in games if any(each.rpartition(" ")[0] == game for each in laid))
    return ("done", phrase("setup.zones.of", games=there)) if there else ("todo", phrase("setup.zones.none"))


def _corners(own: OwnTablePort, boards: Collection[str]) -> tuple[TableStep, ...]:
    if not boards:
        return ()
    there = tuple(game for game in boards if own.config.source.corners or game in own.boards)
    said = phrase("setup.corners.of", games=there) if there else phrase("setup.corners.none")
    return (TableStep("corners", "web.setup.corners", "/setup/corners", "done" if there else "todo", said),)


def _pieces(enrolments: EnrolPort | None) -> tuple[StepState, Phrase]:
    if enrolments is None or not enrolments.has_camera:
        return "todo", phrase("setup.pieces.no_camera")
    known = tuple(each.game for each in enrolments.offers if each.is_known)
    return ("done", phrase("setup.pieces.of", games=known)) if known else ("todo", phrase("setup.pieces.none"))


def _panel(panel: PanelPort | None) -> tuple[StepState, Phrase]:
    if panel is None:
        return "todo", phrase("web.panel.none")
    is_mock = bool(panel.state().get("mock"))
    return ("todo" if is_mock else "done"), phrase("web.panel.mock" if is_mock else "web.panel.real")


def _names(own: OwnTablePort, has_pin: bool) -> tuple[StepState, Phrase]:
    config = own.config
    there = [config.table.name and "name", has_pin and "pin", config.wifi.name and "wifi"]
    named = tuple(phrase(f"setup.names.{each}") for each in there if each)
    return ("done", phrase("setup.names.some", what=named)) if named else ("todo", phrase("setup.names.none"))
