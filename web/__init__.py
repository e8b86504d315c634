"""The pages on phones and television: app factory, live stream, commands as POSTs, drawings.

Shows only what `Game.view` gives (`Seen`) and phrases. Looks down at `companion`; never at `hardware` or `vision`.
"""
