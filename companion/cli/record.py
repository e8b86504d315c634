"""`companion record check|legal|show FILE|N [--json]`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import Any

from companion.cli.own_games import add_record, record_text
from companion.engine import AnyGame, Json, notation, record
from companion.engine.record import RecordEnd, OpenedGame, RecordStep
from companion.errors import RecordError, phrase
from companion.games import registry
from companion.words import Words

_ACTIONS = {
    "check": "does the record hold? every line is read and every ply tried by the rules",
    "legal": "for each ply, everything that its player could have done instead",
    "show": "the game in words, a ply a line: who, what in words, {the same in short notation}, [scores]",
}


def add(subparsers: Any) -> None:
    """Adds `record` with what can be done to one."""
    parser = subparsers.add_parser(
        "record",
        help="check a game record, list what was legal, or show it in words",
        description="Reads a game record: a text file with a line for each ply, or one of your own games by number.",
        epilog="Exit code: 0 the record holds; 1 it does not (line, ply, rule and reason are told); 2 unreadable.",
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="check|legal|show")
    for name, help in _ACTIONS.items():
        action = actions.add_parser(name, help=help, description=f"{help[:1].upper()}{help[1:]}.")
        add_record(action)
        action.add_argument("--json", action="store_true", help="answer in JSON, for programs")


def run(args: argparse.Namespace, words: Words) -> int:
    """Answers on stdout; without `--json`, what is wrong is said on stderr."""
    try:
        for line in _LINES[args.action](record_text(args.file, args.state), args.json, words):
            print(line)
    except RecordError as error:
        sentence = words.sentence(error.phrase)
        if args.json:
            print(_dump({"ok": False, "line": error.line, "n": error.n, "rule": error.rule, "error": sentence}))
        else:
            rule = f"({error.rule})" if error.rule else ""
            what = phrase("cli.record.wrong", where=args.file, line=error.line, told=error.phrase, rule=rule)
            print(words.say(what).strip(), file=sys.stderr)
        return 1
    except OSError as error:
        reason = words.say(phrase("cli.record.unreadable", where=args.file, given=error.strerror or str(error)))
        print(_dump({"ok": False, "line": None, "n": None, "rule": None, "error": reason}) if args.json else reason,
              file=sys.stdout if args.json else sys.stderr)  # fmt: skip
        return 2
    return 0


def _check(text: str, as_json: bool, words: Words) -> Iterator[str]:
    checked = record.check(text, registry.game)
    if as_json:
        yield _dump({"ok": True, "plies": len(checked.plies), "result": checked.result})
        return
    scores = _scores(checked.opened.game, checked.state)
    if checked.result is None:
        yield words.say(phrase("cli.record.holds_open", plies=len(checked.plies), scores=scores))
    else:
        reason = checked.result["reason"]
        yield words.say(phrase("cli.record.holds_ended", plies=len(checked.plies), scores=scores, reason=reason))


def _legal(text: str, as_json: bool, _words: Words) -> Iterator[str]:
    for each in record.legal(text, registry.game):
        if as_json:
            yield _dump(each)
        else:
            shown = ", ".join(notation.short(action) for action in each["legal"])
            yield f"{each['n']}. {_player(each['player'])}: {shown or '–'}"


def _show(text: str, as_json: bool, words: Words) -> Iterator[str]:
    """Lines for the header, one a ply with the scores after it, one for the end."""
    opened: OpenedGame | None = None
    last: RecordStep | None = None
    for each in record.replay(text, registry.game):
        if isinstance(each, OpenedGame):
            opened = each
            yield _dump({"header": each.header}) if as_json else _shown_header(each, words)
            continue
        assert opened is not None
        state = each.before if isinstance(each, RecordStep) else each.state
        if last is not None:
            yield _shown_ply(opened, last, state, as_json, words)
        last = each if isinstance(each, RecordStep) else None
        if isinstance(each, RecordEnd) and each.result is not None:
            yield _dump(each.result) if as_json else _shown_result(opened, each.result["result"], words)


def _shown_header(opened: OpenedGame, words: Words) -> str:
    names = ", ".join(f"{seat} {each['name']}" for seat, each in enumerate(opened.header["players"]))
    return "\n".join((
        f"# {words.say(phrase('cli.record.game', game=opened.game.id))}",
        f"# {words.say(phrase('cli.record.names', given=names))}",
        f"# {words.say(phrase('cli.record.options', given=notation.short(opened.options)))}",
        f"# {words.say(phrase('cli.record.setup', given=notation.short(opened.setup)))}",
    ))


def _shown_ply(opened: OpenedGame, step: RecordStep, after: Any, as_json: bool, words: Words) -> str:
    game = opened.game
    said = words.sentence(game.say(step.before, step.ply, "referee"))
    short = notation.short(step.json["action"])
    if as_json:
        shown = {"n": step.n, "player": step.ply.player, "words": said, "short": short}
        return _dump({**shown, "scores": list(game.scores(after))})
    return f"{step.n}. {_player(step.ply.player)}: {said}  {{{short}}}  [{_scores(game, after)}]"


def _shown_result(opened: OpenedGame, result: Json, words: Words) -> str:
    names = [each["name"] for each in opened.header["players"]]
    winners = tuple(names[seat] for seat in result["winners"]) or phrase("cli.record.nobody")
    scores = " : ".join(map(str, result["scores"]))
    return words.say(phrase("cli.record.ended", reason=result["reason"], scores=scores, winners=winners))


def _scores(game: AnyGame, state: Any) -> str:
    return " : ".join(map(str, game.scores(state)))


def _player(player: int | str) -> str:
    return str(player) if isinstance(player, int) else "-"


def _dump(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)


_LINES = {"check": _check, "legal": _legal, "show": _show}
