# ruff: noqa: T201 (a script prints)
"""What colour shadows have: `python -m tests.vision.score_shadows SET…` prints for each set how many times a shadow
takes of blue, green and red what it takes of lightness, and by how much the table's colour is off beside pieces, in
their shadow (root mean square over both opponent colours), with grey shadows and with such that were learned from the
other half of the pixels."""

from __future__ import annotations

import numpy as np

from tests.vision.scored_sets import open_enrolment, sets_to_score
from vision.enrolment.background_learning import learn_bare, table_beside
from vision.photometry.background_model import nearest_table
from vision.photometry.shadow_tint import GREY_SHADOW, LIGHTEST_SHADOW, Pixels, Shadow, learn_shadow


def off(seen: Pixels, bare: Pixels, shadow: Shadow) -> float:
    """By how much the colours of pixels (n, 3) in shadow differ from what the table should look like there."""
    shaded = seen[:, 0] < LIGHTEST_SHADOW * bare[:, 0]
    apart = seen[shaded] - nearest_table(seen[None], bare[None], shadow=shadow)[0][shaded]
    return float(np.sqrt((apart[:, 1:] ** 2).sum(axis=1).mean()))


def main() -> None:
    """Score the sets named on the command line."""
    for known in sets_to_score(__doc__):
        sizes = {piece.name: piece for piece in known.pieces}
        opened = open_enrolment(known)
        bare = learn_bare(opened, sizes)
        seen, clear = (np.concatenate(pixels) for pixels in table_beside(opened, sizes, bare))
        half = learn_shadow([seen[::2]], [clear[::2]])
        print(f"{known.folder.name}: takes {', '.join(f'{each:.2f}' for each in bare.shadow.takes)}; colour off by "
              f"{off(seen[1::2], clear[1::2], GREY_SHADOW):.1f} with grey shadows, "
              f"{off(seen[1::2], clear[1::2], half):.1f} with coloured ones", flush=True)


if __name__ == "__main__":
    main()
