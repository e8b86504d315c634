"""`companion doctor`: what is missing on this machine, and the one line that gets it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from companion.cli.run import settings_over
from companion.errors import phrase
from companion.games import registry
from companion.words import Words


def add(subparsers: Any) -> None:
    """Adds `doctor`."""
    parser = subparsers.add_parser(
        "doctor",
        help="look for what is missing on this machine",
        description="Looks at camera, pins and libraries, and prints the one line that gets what is missing.",
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="your config file (TOML)")
    parser.add_argument("--press", action="store_true", help="try every button and lamp at the table, one by one")


def run(args: argparse.Namespace, words: Words) -> int:
    """Prints a line for each finding; exit code 1 when something is not well."""
    from hardware import doctor

    if args.press:
        from companion.cli.doctor_press import press_all

        return press_all(settings_over(args.config, None, None, None).config, words)
    findings = []
    packages = (doctor.Finding(False, why) for why in registry.broken_packages())
    for finding in (*packages, *doctor.examine(settings_over(args.config, None, None, None).config)):
        findings.append(finding)
        print(f"{'✓' if finding.well else '✗'} {words.say(finding.sentence)}", flush=True)
    if line := doctor.apt_line(findings):
        print(words.say(phrase("doctor.apt", given=line)))
    return 0 if all(finding.well for finding in findings) else 1
