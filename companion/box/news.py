"""What root did to the companion, told once: how an update went, that the config was written anew.

Root tells it in files of its own (`companion.box.wish`); what of it was passed on is remembered in the state folder.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Final

from companion.box.layout import Places
from companion.box.wish import read_told
from companion.errors import Phrase
from companion.session.whole_file import write_whole

HEARD_NAME: Final = "news.heard"
RUNNING: Final = "running"
"""What has not ended is no news yet."""


class RootNews:
    """For one thread. `folder` is the state folder; of another companion than the installed one there are no news."""

    def __init__(self, folder: Path, layout: Places) -> None:
        self._memory = folder / HEARD_NAME
        files = (layout.told_of_config, layout.told) if folder == layout.state else ()
        self._heard = dict.fromkeys(files, 0)
        with suppress(OSError, ValueError, LookupError, TypeError, AttributeError):
            known = json.loads(self._memory.read_bytes())
            self._heard = {file: int(known.get(file.name, 0)) for file in files}

    def unheard(self) -> tuple[Phrase, ...]:
        """What was not told yet; it is told from now on. A disk that is full forgets it at the next start."""
        found = []
        for file, heard in self._heard.items():
            told = read_told(file)
            if told.what is not None and told.serial > heard and told.is_ != RUNNING:
                self._heard[file] = told.serial
                found.append(told.what)
        if found:
            with suppress(OSError):
                write_whole(self._memory, json.dumps({file.name: each for file, each in self._heard.items()}).encode())
        return tuple(found)
