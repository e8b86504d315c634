"""`python -m companion.box.safe [--config FILE] …`: the process of the safe mode, watched by systemd."""

from __future__ import annotations

import argparse
import logging
import os
import re
import signal
import socket
import ssl
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Final

from werkzeug.serving import BaseWSGIServer, WSGIRequestHandler, make_server

from companion.box import good_config
from companion.box.launch import notify, port_of, write_lives
from companion.box.lives import Lives
from companion.box.safe.deeds import Deeds
from companion.box.safe.pages import safe_app
from companion.session.config import default_folder
from companion.words import load

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

OTHER_PORTS: Final = (8080, 8081, 8888, 0)
"""Where the page is when the configured port cannot be had; the last: any free one."""
FED_S: Final = 1.0


class Handler(WSGIRequestHandler):
    """Does not wait for ever for a phone that says nothing, and logs no requests."""

    timeout = 20

    def log(self, type: str, message: str, *args: object) -> None:
        """Nothing: the log is for what is wrong."""


def main(arguments: Sequence[str]) -> int:
    """Serves the page until somebody chose something, or systemd stops it."""
    parser = argparse.ArgumentParser(prog="companion.box.safe")
    parser.add_argument("--config", type=Path)
    parser.add_argument("--state", type=Path)
    args, _ = parser.parse_known_args(arguments)
    logging.basicConfig(level=logging.WARNING, format="%(name)s: %(message)s")
    lives, again = Lives.of_service(), Event()
    folder = args.state or default_folder()
    os.environ["TMPDIR"] = str(folder)  # a backup that is brought is larger than the memory that /tmp may be
    why = lives.told()
    lives.state("safe", why.get("why", ""), why.get("trace", ""))
    app = safe_app(lives=lives, deeds=Deeds(args.config, folder, again.set), folder=folder, words=load())
    server = serve_page(app, list(ports(args.config, folder)), certificate(args.config, folder))
    port = server.socket.getsockname()[1]
    sys.stderr.write(f"The companion did not start; its page at port {port} says why: {why.get('why', '')}\n")
    Thread(target=server.serve_forever, name="safe", daemon=True).start()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: again.set())
    notify(os.environ, "READY=1\nSTATUS=safe mode: see its page")
    while not again.wait(FED_S):
        notify(os.environ, "WATCHDOG=1")
    again.wait(FED_S)  # the answer to whoever chose goes out first
    server.shutdown()
    runtime = os.environ.get("RUNTIME_DIRECTORY", "").split(":")[0]
    if runtime:
        write_lives(Path(runtime), 0, 0)
    return 0


def serve_page(app: WSGIApplication, wanted: Sequence[int], context: ssl.SSLContext | None) -> BaseWSGIServer:
    """The page on the first of these ports that can be had. Raises `OSError`."""
    for port in wanted:
        with suppress(OSError), socket.create_server(("0.0.0.0", port)) as listening:
            return make_server(
                "0.0.0.0", port, app, threaded=True, request_handler=Handler, ssl_context=context,
                fd=listening.fileno())
    raise OSError(0, "no port can be had")


def ports(config: Path | None, folder: Path) -> Iterator[int]:
    """The port that people know, and others."""
    known = set()
    for file in (config, folder / good_config.GOOD_NAME):
        if file is not None and file.is_file():
            with suppress(OSError):
                text = file.read_text(encoding="utf-8", errors="replace")  # it may be no TOML
                written = re.search(r"^\s*port\s*=\s*(\d{1,5})", text, re.M)
                known.add(int(written[1]) if written else port_of(file)[0])
    yield from (each for each in known if each < 65536)
    yield from OTHER_PORTS


def certificate(config: Path | None, folder: Path) -> ssl.SSLContext | None:
    """The companion's own, if the pages are encrypted and it was made before."""
    from web.tls import CERTIFICATE, tls_context

    good = folder / good_config.GOOD_NAME
    if any(port_of(each)[1] for each in (config, good) if each is not None) and (folder / CERTIFICATE).exists():
        with suppress(OSError):
            return tls_context(folder)
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
