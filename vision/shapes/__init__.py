"""A small network that tells the shape of a drink, and that there is none, whatever its colours, light and table.

Sees a place only as planes at the heights of the lids; learned from rendered tables (`tests/bench/shapes`). Gives
log-likelihoods; knows no enrolment. Imports `photometry` and what is below.
"""
