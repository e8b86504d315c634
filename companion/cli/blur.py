"""`companion blur`: who comes into the picture of a kept game is made unrecognisable, before it is sent to anybody."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from companion.errors import InvalidError, SightError, phrase
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
    """Blurs the pictures of one game; how many. Raises `InvalidError` where it cannot be told where the table is, or a
    picture is damaged: before anything is changed."""
    from hardware.sources.kept_table import read_kept

    kept = read_kept(table)
    looks = sorted((table / LOOKS).iterdir())
    outline = _outline(kept, looks)
    lines, small = _small(kept, outline)
    for file, image in zip(looks, _images(looks), strict=True):
        _write({file: _jpeg(blurred(image, outline))})
    _write({table / SMALL: small, table / FRAMES: b"".join(json.dumps(line).encode() + b"\n" for line in lines)})
    return len(looks) + sum("small" in line for line in lines)


def _images(looks: Sequence[Path]) -> Iterator[Image]:
    """The pictures in these files, one after the other. Raises `InvalidError` for one that is damaged."""
    from hardware.sources.kept_table import kept_look

    for file in looks:
        try:
            yield kept_look(file)
        except SightError as error:
            raise InvalidError(phrase("cli.blur.damaged", where=str(file))) from error


def _small(kept: KeptTable, outline: Outline) -> tuple[list[dict[str, Any]], bytes]:
    """The lines of the frames and the small pictures, blurred; of one that is damaged nothing is left."""
    import cv2

    from hardware.sources.kept_table import decoded

    lines, small = [dict(line) for line in kept.lines()], b""
    with (kept.folder / SMALL).open("rb") as opened:
        for line in lines:
            if "small" in line:
                opened.seek(line["small"][0])
                jpeg = b""
                with suppress(SightError):
                    image = decoded(opened.read(line["small"][1]))
                    jpeg = _jpeg(blurred(image, outline), cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444)
                line["small"] = [len(small), len(jpeg)]
                small += jpeg
    return lines, small


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


def _outline(kept: KeptTable, looks: Sequence[Path]) -> Outline:
    """What stays as it is, as a convex outline in shares of width and height. Raises `InvalidError` where neither
    corners nor tag cards are known, or if a picture is damaged."""
    import cv2
    import numpy as np

    from companion.table.board_corners import NAMED_PX
    from vision.fiducials.tag_detection import detect

    points = [(float(x), float(y)) for _, x, y in NAMED_PX.findall(kept.eyes.get("corners", ""))]
    is_named = bool(points)
    for image in _images(looks):
        if not is_named:
            points += [(x, y) for card in detect(image).values() for x, y in card.tolist()]
    if len(points) < 4:
        raise InvalidError(phrase("cli.blur.no_table", where=str(kept.folder)))
    hull = cv2.convexHull(np.array(points, np.float32)).reshape(-1, 2).astype(np.float64)
    middle = hull.mean(axis=0)
    return np.asarray((middle + (hull - middle) * GROWN) / kept.shape[1::-1], np.float64)


def _jpeg(image: Image, *how: int) -> bytes:
    import cv2

    sampling = (cv2.IMWRITE_JPEG_SAMPLING_FACTOR, *how) if how else ()
    _, jpeg = cv2.imencode(".jpg", image, (cv2.IMWRITE_JPEG_QUALITY, QUALITY, *sampling))
    return jpeg.tobytes()


def _write(given: Mapping[Path, bytes]) -> None:
    """Each of these files whole, and none before all of them are on the disk."""
    for file, content in given.items():
        fresh = file.with_name(f"{file.name}.new")
        fresh.write_bytes(content)
        fresh.chmod(0o600)
    for file in given:
        file.with_name(f"{file.name}.new").replace(file)
