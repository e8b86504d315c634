#!/usr/bin/python3
"""What systemd starts (`/opt/companion/start`): chooses the version, counts failed starts, ends restart loops.

    start [ARGUMENT …]      goes on as `companion run ARGUMENT …` of the version in use
    start --ended           systemd says how a life ended (ExecStopPost)
    start --door            answers one visitor of port 80 on stdin: the pages are at another port

After three starts that failed, or ten short lives, in a row it goes on as the safe mode instead, which stays until
somebody chooses there. A version whose files are damaged is left for the one before it; if all are, a page of this file
alone says so. Standard library only: the installer copies this file out of all versions.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

MAX_FAILED, MAX_SHORT = 3, 10
"""So many starts in a row may fail, so many lives in a row may be short, before the safe mode takes over."""
LIVES_NAME = "lives.json"
COMPLETE_NAME = "complete.json"
"""The last file of a version that is written: without it the version is not whole."""
DAMAGED_ENV = "COMPANION_DAMAGED"
"""Names the version whose files are damaged, to the one that runs in its place."""
PORTS = (8080, 8081, 80)
DAMAGED_PAGE = """<!doctype html><meta charset=utf-8><meta name=viewport content="width=device-width">
<title>Tabletop companion</title><h1>The companion cannot start</h1>
<p>The files of the program are damaged, perhaps by a power cut or a worn memory card. Games, pieces and settings lie
elsewhere and stay as they are.<p>Install it again on the machine: <code>sudo sh systemd/install.sh</code>
"""


def main(arguments: Sequence[str], environ: Mapping[str, str], opt: Path) -> int:
    """Goes on as another program; gives an exit code only where there is none to go on as."""
    runtime = Path(environ.get("RUNTIME_DIRECTORY", "/run/companion").split(":")[0])
    if arguments[:1] == ["--ended"]:
        note_end(runtime, environ)
        return 0
    if arguments[:1] == ["--door"]:
        return show_the_way(Path("/etc/companion/companion.toml"))
    failed, short = read_lives(runtime)
    versions = list(versions_of(opt))
    if failed < MAX_FAILED and short < MAX_SHORT:
        write_lives(runtime, failed + 1, short + 1)
        for folder in versions:
            with suppress(OSError):  # its Python is gone
                go_on_as(folder, ["companion.cli.main", "run", *arguments], environ)
    for folder in versions:
        if is_sound(folder):
            if folder == versions[0]:
                go_on_as(folder, ["companion.box.safe", *arguments], environ)
            go_on_as(folder, ["companion.cli.main", "run", *arguments], {**environ, DAMAGED_ENV: versions[0].name})
    return serve_damaged(environ)


def versions_of(opt: Path) -> Iterator[Path]:
    """The whole versions, in the order in which they are tried: the one in use, the one before, the others."""
    others = sorted((opt / "versions").glob("*"), reverse=True)
    seen = set()
    for folder in (opt / "current", opt / "before", *others):
        whole = folder.resolve()
        if whole not in seen and is_whole(whole):
            seen.add(whole)
            yield whole


def is_whole(folder: Path) -> bool:
    """Whether the version was written to its end."""
    try:
        return isinstance(json.loads((folder / COMPLETE_NAME).read_bytes()), dict)
    except (OSError, ValueError):
        return False


def is_sound(folder: Path) -> bool:
    """Whether the safe mode of this version can be loaded."""
    with suppress(OSError, subprocess.TimeoutExpired):
        asked = [str(folder / "bin/python"), "-c", "import companion.box.safe.__main__"]
        return subprocess.run(asked, check=False, capture_output=True, timeout=60).returncode == 0
    return False


def go_on_as(folder: Path, module: Sequence[str], environ: Mapping[str, str]) -> None:
    """Becomes that program, as the process that systemd watches. Raises `OSError`."""
    python = str(folder / "bin/python")
    os.execve(python, [python, "-m", *module], dict(environ))


def read_lives(runtime: Path) -> tuple[int, int]:
    """Failed starts and short lives in a row."""
    with suppress(OSError, ValueError, LookupError, TypeError):
        told = json.loads((runtime / LIVES_NAME).read_bytes())
        return int(told["failed"]), int(told["short"])
    return 0, 0


def write_lives(runtime: Path, failed: int, short: int) -> None:
    """Keeps the counts until the machine is switched off. Where that cannot be, nothing is counted."""
    with suppress(OSError):
        new = runtime / f"{LIVES_NAME}.new"
        new.write_text(json.dumps({"failed": failed, "short": short}))
        new.replace(runtime / LIVES_NAME)


def note_end(runtime: Path, environ: Mapping[str, str]) -> None:
    """What counts of a life that ended: nothing if all went well, or if somebody killed it after its pages were up."""
    failed, short = read_lives(runtime)
    if environ.get("SERVICE_RESULT") == "success":
        write_lives(runtime, 0, 0)
    elif environ.get("EXIT_STATUS") == "KILL" and environ.get("SERVICE_RESULT") == "signal" and failed == 0:
        write_lives(runtime, 0, max(0, short - 1))


class DamagedHandler(BaseHTTPRequestHandler):
    """Says on every page that nothing can be started."""

    timeout = 10
    protocol_version = "HTTP/1.0"

    def do_GET(self) -> None:  # the name that the library calls
        """The page."""
        said = DAMAGED_PAGE.encode()
        self.send_response(503)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: the log has one line for this state."""


def serve_damaged(environ: Mapping[str, str]) -> int:
    """Serves the page for ever; only a new installation helps."""
    sys.stderr.write("No version of the companion is whole. Run: sudo sh systemd/install.sh\n")
    for port in PORTS:
        with suppress(OSError):
            server = ThreadingHTTPServer(("0.0.0.0", port), DamagedHandler)
            server.daemon_threads = True
            server.timeout = 1.0
            notify(environ, "READY=1\nSTATUS=damaged: install again")
            while True:
                server.handle_request()
                notify(environ, "WATCHDOG=1")
    return 1


def notify(environ: Mapping[str, str], said: str) -> None:
    """Tells systemd, where there is one."""
    address = environ.get("NOTIFY_SOCKET", "")
    if address:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out, suppress(OSError):
            out.sendto(said.encode(), "\0" + address[1:] if address.startswith("@") else address)


def show_the_way(config: Path, wait_s: float = 5.0) -> int:
    """Leads a browser that came to port 80 to the port of the pages. Waits a bounded time for a bounded request."""
    request, until_s = b"", time.monotonic() + wait_s
    with socket.socket(fileno=os.dup(0)) as visitor:
        while b"\r\n\r\n" not in request and len(request) < 8192 and time.monotonic() < until_s:
            visitor.settimeout(max(0.1, until_s - time.monotonic()))
            try:
                piece = visitor.recv(2048)
            except OSError:
                return 0
            if not piece:
                return 0
            request += piece
        with suppress(OSError):
            visitor.sendall(answer_of(request, *port_of(config)))
    return 0


def answer_of(request: bytes, port: int, tls: bool) -> bytes:
    """The answer that leads on; 400 for what is no request of a browser."""
    lines = request.decode("ascii", "replace").split("\r\n")
    path = next(iter(lines[0].split(" ")[1:]), "")
    host = next((line[5:].strip() for line in lines[1:] if line.lower().startswith("host:")), "")
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
    fit = all(each.isalnum() or each in ".-:[]" for each in name) and name and name.isascii()
    if not fit or not path.startswith("/") or not (path.isascii() and path.isprintable()):
        return b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    where = f"{'https' if tls else 'http'}://{name}:{port}{path}"
    headers = f"Location: {where}\r\nContent-Length: 0\r\nConnection: close"
    return f"HTTP/1.1 307 Temporary Redirect\r\n{headers}\r\n\r\n".encode()


def port_of(config: Path) -> tuple[int, bool]:
    """The port of the pages, and whether they are encrypted."""
    with suppress(OSError, ValueError, LookupError, TypeError, AttributeError):
        server = tomllib.loads(config.read_text(encoding="utf-8")).get("server", {})
        return int(server.get("port", 8080)), bool(server.get("tls", False))
    return 8080, False


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], os.environ, Path(__file__).resolve().parent))
