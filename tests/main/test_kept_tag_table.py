"""A table with tag cards that was kept plays again with the same readings, with the pieces as they were known then."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.cli.played import opened_by
from companion.errors import InvalidError
from companion.main.eyes_session import TableEyes
from companion.main.keeper import Keeper
from companion.main.kept_eyes import open_kept
from companion.main.messages import LookFor, Teach
from companion.session.keeping import ABOUT, PIECES, kept_tables
from tests.main.kept_games import Film, as_said, played_again, watched
from vision.enrolment.enrol import enrol_set
from vision.enrolment.picture_set import read_set
from vision.imaging.frame import Frame
from vision.pieces.exemplars import Learned
from vision.pieces.piece_set_file import load_piece_set, save_piece_set

SET = Path(__file__).parents[1] / "data" / "kamikaze-1"
SHOWN = (0, 0, 1, 2, 3, 4)
"""Two plies, and a hand."""


@pytest.mark.usefixtures("learned_once")
@pytest.mark.wide
def test_a_kept_table_of_cans_is_read_again_as_it_was(tmp_path: Path) -> None:
    known, opened = read_set(SET), opened_by(SET / "record.jsonl")
    layout = opened.game.layout(opened.setup)
    pieces, file = enrol_set(known, layout.kinds), tmp_path / "own.pieces"
    save_piece_set(pieces, file)
    header = json.loads((SET / "record.jsonl").read_text("utf-8").splitlines()[0])
    wanted = LookFor(layout, opened.players, game=opened.game.id, header=header,
                     placement=opened.game.placement(opened.state))
    table = TableEyes(known.lens, Learned(load_piece_set(file)), file, known.zones, known.seats)
    frames = [known.frame(n) for n in SHOWN]
    film = Film([Frame(each.image, each.small, 4.0 * n, n) for n, each in enumerate(frames)])
    kept = tmp_path / "kept"

    live = watched(table, film, wanted, Keeper(kept, 500, lambda _: None), Teach({}))
    again, _ = played_again(kept, wanted)

    assert as_said(again) == as_said(live)
    assert [each.state for each in live.sighted].count("free") >= 3
    part, = kept_tables(kept)
    before = (part / PIECES).read_bytes()
    assert main(["read", str(kept), "--out", str(tmp_path / "read.jsonl")]) == 0
    lines = [json.loads(line) for line in (tmp_path / "read.jsonl").read_text("utf-8").splitlines()][1:]
    truth = [json.loads(line)["action"] for line in (SET / "record.jsonl").read_text("utf-8").splitlines()[1:]]
    plies = [each["action"] for line in lines for each in line["plies"]]
    assert plies == truth[:2]
    assert (part / PIECES).read_bytes() == before

    about = json.loads((part / ABOUT).read_text("utf-8"))
    (part / ABOUT).write_text(json.dumps({**about, "eyes": {"zones": {}}}), "utf-8")
    with pytest.raises(InvalidError, match="no_kept"):
        open_kept(part)
