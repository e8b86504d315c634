"""Which legal plies explain what is seen; what to ask when several do; what is odd when none does.

Pure: a Game is passed in, no game is imported; no clocks, threads or pixels.
"""
