from __future__ import annotations

import io
from pathlib import Path

import pytest

from companion.cli import main as cli
from companion.engine import record
from companion.games import registry


def play(monkeypatch: pytest.MonkeyPatch, *args: str, typed: str = "") -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    return cli.main(["play", *args, "--seed", "3", "--playouts", "4"])


@pytest.mark.parametrize("game", registry.ids())
def test_every_game_is_played_by_numbers_until_the_input_ends(
    game: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = tmp_path / "game.jsonl"
    assert play(monkeypatch, game, "--bots", "greedy", "--out", str(out), typed="1\n" * 4) == 0
    checked = record.check(out.read_text(), registry.game)
    assert len([ply for ply in checked.plies if ply["player"] == 0]) == 4
    assert checked.result["reason"] == "abandoned"
    assert "You: " in capsys.readouterr().out


def test_a_game_to_its_end_tells_who_has_won(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    args = ["kamikaze-cans", "--bots", "random", "--option", "quiet_limit=3"]
    assert play(monkeypatch, *args, typed="l move\n" + "217\n1\n" * 300) == 0
    assert "won by" in capsys.readouterr().out


def test_a_play_is_typed_in_short_notation_taken_back_and_refused_with_its_rule(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = "place drink=orange/stub_can to=c4\nu\nu\nplace drink=red/stub_can to=a1\nplace drink=\n999\nnonsense\nq\n"
    assert play(monkeypatch, "kamikaze-cans", typed=typed) == 0
    shown = capsys.readouterr().out
    for told in ("You: orange stub can to c4", "taken back", "nothing to take back", "KC 3.1", "no play 999"):
        assert told in shown


def test_a_hint_says_what_to_consider_and_why(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert play(monkeypatch, "pick-and-pack", typed="?\nb\n\nq\n") == 0
    shown = capsys.readouterr().out
    assert "Consider: " in shown
    assert "playouts" in shown
    assert "grid: a1 " in shown
    assert "end: bottom:1 tile red " in shown


def test_yuzu_twist_is_played_alone(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert play(monkeypatch, "yuzu-twist", "--players", "1", typed="1\n1\n1\n?\nq\n") == 0
    assert "player B" not in capsys.readouterr().out


def test_hands_and_face_down_coins_of_others_are_not_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = tmp_path / "game.jsonl"
    assert play(monkeypatch, "war-chest", "--bots", "random", "--out", str(out), typed="1\n" * 8) == 0
    shown = capsys.readouterr().out
    game = registry.game("war-chest")
    for each in record.replay(out.read_text(), registry.game):
        if isinstance(each, record.RecordStep) and each.ply.player == 1:
            coin = getattr(each.ply.action, "coin", None)
            if type(each.ply.action).__name__ in ("Pass", "Recruit", "TakeInitiative"):
                from companion.words import load

                words = load("en", [game.words])
                seen, known = (words.say(game.say(each.before, each.ply, who)) for who in (0, 1))
                assert seen in shown
                assert seen == known or coin is not None


def test_a_choice_of_several_things_asks_which(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from random import Random

    from companion.bots import level
    from companion.cli.keyboard import Keyboard
    from companion.cli.main import _words
    from companion.engine import Choose

    game = registry.game("crate-wars")
    keyboard = Keyboard(game, 0, _words(), level("random"), None, Random(1))
    among = tuple(f"red/{shape}" for shape in ("stub_can", "short_can", "tall_can"))
    monkeypatch.setattr("sys.stdin", io.StringIO("1 3\n"))
    ply = keyboard._chosen(Choose("keep", among, 2, (("crate", 1),), "drinks"))
    assert ply is not None
    assert ply.action.drinks == ("red/stub_can", "red/tall_can")
    assert "Which?" in capsys.readouterr().out


@pytest.mark.parametrize(("args", "told"), [
    (["chess"], "chess"),
    (["pick-and-pack", "--players", "5"], "is played by 2"),
    (["pick-and-pack", "--seat", "3"], "no seat 3"),
    (["pick-and-pack", "--bots", "grandmaster"], "no level grandmaster"),
    (["pick-and-pack", "--bots", "random,random"], "2 levels"),
    (["pick-and-pack", "--out", "/nowhere/at/all"], "cannot be written"),
])
def test_what_cannot_be_is_said_in_words(
    args: list[str], told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert play(monkeypatch, *args) == 2
    assert told in capsys.readouterr().err


def test_bots_play_each_other_and_the_game_is_looked_at_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "game.jsonl"
    args = ["selfplay", "pick-and-pack", "--bots", "search,greedy", "--playouts", "5", "--out", str(out)]
    texts = []
    for _ in range(2):
        assert cli.main([*args, "--started", "2026-11-02T05:00:00Z"]) == 0
        texts.append(out.read_text())
    assert texts[0] == texts[1] == record.check(texts[0], registry.game).text
    assert '"search 1"' in texts[0]
    assert cli.main(["analyse", str(out), "--playouts", "5"]) == 0
    shown = capsys.readouterr().out
    assert "gave away" in shown
    assert "Chances of greedy 2, ply by ply: " in shown
    assert cli.main(["analyse", str(out), "--playouts", "5", "--json"]) == 0
    assert capsys.readouterr().out.count('"best_value"') == len(record.check(texts[0], registry.game).plies)


def test_without_time_a_game_is_still_looked_at_and_a_time_that_never_passes_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "game.jsonl"
    assert cli.main(["selfplay", "kamikaze-cans", "--plies", "2", "--out", str(out)]) == 0
    assert cli.main(["analyse", str(out), "--time", "0"]) == 0
    assert "[0 %]" not in capsys.readouterr().out
    for args in (["--time", "nan"], ["--time", "inf"], ["--time", "-1"], ["--playouts", "0"]):
        with pytest.raises(SystemExit):
            cli.main(["analyse", str(out), *args])
        assert "is not a number" in capsys.readouterr().err


def test_a_record_without_plies_is_not_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "game.jsonl"
    assert cli.main(["selfplay", "kamikaze-cans", "--plies", "2", "--out", str(out)]) == 0
    out.write_text(out.read_text().splitlines(keepends=True)[0])
    capsys.readouterr()
    assert cli.main(["analyse", str(out)]) == 0
    assert capsys.readouterr().out == "Nobody has played anything yet.\n"


def test_a_record_that_does_not_hold_is_not_analysed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text("{}\n")
    assert cli.main(["analyse", str(bad)]) == 1
    assert "line 1" in capsys.readouterr().err
    assert cli.main(["analyse", str(tmp_path / "none.jsonl")]) == 2
