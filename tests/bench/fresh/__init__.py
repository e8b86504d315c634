"""Picture sets of tables that nobody has seen: made by a maker of pictures, evaluated once, kept for good.

    maker     makes the sets: `MAKER` is the maker's folder, its own Python is set up in `build/maker`
    rounds    what a round of sets came to, in `rounds/FIRST.json`: figures, and each miss with its cause in a few words
    __main__  makes, evaluates, and writes the part `fresh` of docs/benchmarks.md

Seeds are consecutive from 2000 and none is skipped; a round that was begun is finished. A set is evaluated once, by the
code of one commit: who has looked at it has seen it.
"""
