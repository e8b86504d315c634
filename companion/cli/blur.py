"""`companion blur`: who comes into the picture of a kept game is made unrecognisable, before it is sent to anybody."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from companion.errors import InvalidError, phrase
from companion.session.keeping import FRAMES, LOOKS, SMALL, kept_tables
from companion.words import Words

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hardware.sources.kept_table import KeptTable
    from vision.imaging.frame import Image

    Outline = npt.NDArray[np.float64]

GROWN: Final = 1.2
"""So much larger than the board, or than what the tag cards enclose, is what stays as it is: whose arm it is cannot be
told, but that one is there."""
TILES: Final = 32
"""The rest becomes so many tiles across the picture, each of one colour."""
QUALITY: Final = 95


def add(commands: Any) -> None:
    """Adds the command's parser."""
    parser = commands.add_parser(
        "blur",
        help="make people unrecognisable in a game that was kept",
        description="In all pictures that `companion run --keep` wrote, what lies away from the board, or from what "
        "the tag cards enclose, becomes coarse tiles. It cannot be undone. Look through them before you send them.",
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the folder of what was kept, or of one game in it")


def run(args: argparse.Namespace, words: Words) -> int:
    """Blurs all that is kept there; gives 0."""
    tables = kept_tables(args.folder)
    if not tables:
        raise InvalidError(phrase("hw.no_kept", where=str(args.folder)))
    for table in tables:
        print(words.say(phrase("cli.blur.done", number=blur(table), where=str(table / LOOKS))))
    return 0


def blur(table: Path) -> int:
    """Blurs the pictures of one game; how many. Raises `InvalidError` where it cannot be told where the table is."""
    import cv2

    from hardware.sources.kept_table import decoded, read_kept

    kept = read_kept(table)
    height, width = kept.shape[:2]
    looks = {file: decoded(file.read_bytes()) for file in (table / LOOKS).iterdir()}
    outline = _outline(kept, list(looks.values())) * (1.0 / width, 1.0 / height)
    if not len(outline):
        raise InvalidError(phrase("cli.blur.no_table", where=str(table)))
    for file, image in looks.items():
        _write(file, _jpeg(blurred(image, outline)))
    with (table / SMALL).open("rb") as opened:
        lines, small = [dict(line) for line in kept.lines()], b""
        for line in lines:
            if "small" in line:
                opened.seek(line["small"][0])
                image = decoded(opened.read(line["small"][1]))
                jpeg = _jpeg(blurred(image, outline), cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444)
                line["small"] = [len(small), len(jpeg)]
                small += jpeg
    _write(table / SMALL, small)
    _write(table / FRAMES, b"".join(json.dumps(line).encode() + b"\n" for line in lines))
    return len(looks) + sum("small" in line for line in lines)


def blurred(image: Image, outline: Outline) -> Image:
    """A picture of which only what lies within the outline, in shares of width and height, stays as it is."""
    import cv2
    import numpy as np

    height, width = image.shape[:2]
    across = max(1, round(TILES * height / width))
    tiny = cv2.resize(image, (TILES, across), interpolation=cv2.INTER_AREA)
    tiles = cv2.resize(tiny, (width, height), interpolation=cv2.INTER_NEAREST)
    inside = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(inside, np.rint(outline * (width, height)).astype(np.int32), (1,))
    return np.asarray(np.where(inside[..., None] > 0, image, tiles), np.uint8)


def _outline(kept: KeptTable, looks: list[Image]) -> Outline:
    """What stays as it is, as a convex outline in pixels; empty where neither corners nor tag cards are known."""
    import cv2
    import numpy as np

    from companion.table.board_corners import NAMED_PX
    from vision.fiducials.tag_detection import detect

    if "corners" in kept.eyes:
        points = [(float(x), float(y)) for _, x, y in NAMED_PX.findall(kept.eyes["corners"])]
    else:
        points = [corner for image in looks for card in detect(image).values() for corner in card.tolist()]
    if len(points) < 4:
        return np.zeros((0, 2))
    hull = cv2.convexHull(np.array(points, np.float32)).reshape(-1, 2).astype(np.float64)
    middle = hull.mean(axis=0)
    return np.asarray(middle + (hull - middle) * GROWN, np.float64)


def _jpeg(image: Image, *how: int) -> bytes:
    import cv2

    sampling = (cv2.IMWRITE_JPEG_SAMPLING_FACTOR, *how) if how else ()
    _, jpeg = cv2.imencode(".jpg", image, (cv2.IMWRITE_JPEG_QUALITY, QUALITY, *sampling))
    return jpeg.tobytes()


def _write(file: Path, given: bytes) -> None:
    """Whole or not at all."""
    fresh = file.with_name(f"{file.name}.new")
    fresh.write_bytes(given)
    fresh.chmod(0o600)
    fresh.replace(file)
