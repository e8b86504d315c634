"""The one writer: commands come in by one inbox, events go out; journal, config and clock live here.

Imports `interpret`, `engine`, `table`, `words`; never `vision`, `web` or `hardware`.
"""
