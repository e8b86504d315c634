"""The rules, one folder a game, and the registry (`registry.py`). Games do not know each other.

Pure: imports only `companion.engine`, `companion.table`, `companion.errors`. A newcomer adds a folder and one
registry line.
"""
