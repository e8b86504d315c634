"""The piece set: what enrolment learned of every appearance, kept in a file, with the examples added while playing.

No picture is read here. Imports the rooms whose models it keeps: `bodies`, `drinks`, `faces`, `photometry`.
"""
