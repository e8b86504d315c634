"""`companion doctor`: whether all is well on this machine, one line each, with what to do."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from companion.errors import InvalidError, phrase
from companion.words import Words


def add(subparsers: Any) -> None:
    """Adds `doctor`."""
    parser = subparsers.add_parser(
        "doctor",
        help="look for what is missing on this machine",
        description="Looks at config, service, camera, pins, pieces, journal, disk, power, heat, clock, name, memory "
        "and versions, and says what to do. Without --config it is the installed companion that is looked at.",
        epilog="Exit code: 0 all is well; 1 something is not.",
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="another config file (TOML)")
    parser.add_argument("--press", action="store_true", help="try every button and lamp at the table, one by one")
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.add_argument("--report", type=Path, metavar="FILE", help="write a zip for whoever helps")
    parser.add_argument("--names", action="store_true", help="with names and passwords of the config in the report")
    parser.add_argument("--pictures", action="store_true", help="with the newest pictures in the report")


def run(args: argparse.Namespace, words: Words) -> int:
    """Prints a line for each finding; exit code 1 when something is not well."""
    from companion.box.doctor import examining
    from companion.box.doctor.report import as_json, report
    from companion.box.layout import Places
    from hardware import doctor

    layout = Places()
    asked = examining.subject(args.config, layout)
    if args.press:
        from companion.cli.doctor_press import press_all

        return press_all(asked.config, words)
    findings = []
    for finding in examining.examine_all(asked, layout):
        findings.append(finding)
        if not args.json:
            print(f"{'✓' if finding.well else '✗'} {words.sentence(finding.sentence)}", flush=True)
    if args.json:
        print(json.dumps(as_json(findings, words), ensure_ascii=False))
    elif line := doctor.apt_line([each for each in findings if not each.well]):
        print(words.say(phrase("doctor.apt", given=line)))
    if args.report is not None:
        made = report(findings, words, layout, asked.file, asked.config.folder, names=args.names,
                      pictures=args.pictures)
        try:
            args.report.write_bytes(made)
        except OSError as error:
            raise InvalidError(phrase("cli.unopened", where=str(args.report), given=error.strerror or "")) from error
    return 0 if all(finding.well for finding in findings) else 1
