"""`companion calibrate`: the lens of a camera from pictures of a sheet."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any, Final

from companion.errors import InvalidError, SightError, phrase
from companion.words import Words

PICTURES: Final = (".jpg", ".jpeg", ".png")


def add(commands: Any) -> None:
    """Adds the command's parser."""
    parser = commands.add_parser(
        "calibrate",
        help="measure your camera's lens from pictures of a sheet",
        description="First --sheet writes the sheet as a picture: print it, or show it on a tablet, flat and still. "
        "Take some twelve pictures of it with the camera as you use it, in all parts of the picture, tilted to all "
        "sides. Then give their folder: the lens is written for `lens` under [source] in the config.",
    )
    parser.add_argument("pictures", type=Path, nargs="?", metavar="FOLDER", help="pictures of the sheet")
    parser.add_argument("--out", type=Path, metavar="FILE", help="where to write the lens, JSON")
    parser.add_argument("--sheet", type=Path, metavar="PNG", help="write the sheet to take pictures of")


def run(args: argparse.Namespace, words: Words) -> int:
    """Writes the sheet or the lens; gives 0, or 1 for a lens that is not fit to be used."""
    import cv2
    import numpy as np

    from vision.fiducials.lens_sheet import calibrate, find_sheet, finding, sheet_picture, verdict

    if args.sheet is not None:
        if not cv2.imwrite(str(args.sheet), sheet_picture()):
            raise InvalidError(phrase("calibrate.not_written", where=str(args.sheet)))
        print(words.say(phrase("calibrate.sheet", where=str(args.sheet))))
    if args.pictures is None and args.sheet is not None:
        return 0
    if args.pictures is None or args.out is None:
        raise InvalidError(phrase("calibrate.needs"))
    seen, size = [], None
    for file in sorted(each for each in args.pictures.iterdir() if each.suffix.lower() in PICTURES):
        image = cv2.imread(str(file), cv2.IMREAD_COLOR)
        found = None if image is None else find_sheet(np.asarray(image, np.uint8))
        if image is None or found is None:
            print(words.say(phrase("calibrate.not_seen", picture=file.name)), file=sys.stderr)
            continue
        size = size or image.shape[1::-1]
        if image.shape[1::-1] != size:
            raise SightError(phrase("calibrate.sizes", picture=file.name, width=size[0], height=size[1]))
        seen.append(found)
    done = calibrate(seen, (size[0], size[1]) if size else (1, 1))
    for column, row in done.unseen:
        where = phrase(f"calibrate.row_{row}"), phrase(f"calibrate.column_{column}")
        print(words.say(phrase("calibrate.unseen", row=where[0], column=where[1])), file=sys.stderr)
    print(words.say(finding(done)))
    if verdict(done) == "poor":
        return 1
    args.out.write_text(json.dumps(done.lens.json) + "\n", encoding="utf-8")
    return 0
