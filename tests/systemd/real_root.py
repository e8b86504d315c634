"""A Debian with systemd as its first process, made by mmdebstrap, run by systemd-nspawn, and thrown away after a test.

The packages come from Debian's mirror once and are kept in `build/`, like the wheels; from then on nothing is fetched,
and the machines themselves have no network.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, TypeVar

Answer = TypeVar("Answer")
REPOSITORY: Final = Path(__file__).parents[2]
KEPT: Final = REPOSITORY / "build" / "real-root"
SUITES: Final = {(3, 11): "bookworm", (3, 13): "trixie"}
"""Which Debian has the Python that runs the tests, and so fits its wheels."""
PACKAGES: Final = (
    "systemd", "systemd-sysv", "udev", "dbus", "git", "ca-certificates", "python3", "python3-venv", "libgl1",
    "libglib2.0-0", "libsm6", "libice6", "libx11-6", "openssl", "avahi-daemon", "cloud-init")
TOOLS: Final = ("mmdebstrap", "systemd-nspawn", "nsenter")
FIRST_S: Final = 1800.0
WAIT_S: Final = 120.0
SURROUNDINGS: Final = ("env", "-i", "PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8", "HOME=/root")


class NoRootError(Exception):
    """Why no such machine can be had here."""


@contextmanager
def alone(name: str) -> Iterator[None]:
    """One process at a time makes what has this name."""
    KEPT.mkdir(parents=True, exist_ok=True)
    with (KEPT / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def base() -> Path:
    """The archive of a fresh machine. Raises `NoRootError`."""
    suite = SUITES.get(sys.version_info[:2])
    if os.geteuid() != 0:
        raise NoRootError("only root can run another system")
    if missing := [each for each in TOOLS if shutil.which(each) is None]:
        raise NoRootError(f"{', '.join(missing)} cannot be found (apt install mmdebstrap systemd-container)")
    if suite is None:
        raise NoRootError(f"no Debian that is known here has Python {sys.version_info[0]}.{sys.version_info[1]}")
    name = hashlib.sha256(f"{suite} {PACKAGES}".encode()).hexdigest()[:12]
    made = KEPT / f"{suite}-{name}.tar"
    with alone("base"):
        if not made.exists():
            new = made.with_suffix(".new.tar")
            command = ["mmdebstrap", "--variant=minbase", f"--include={','.join(PACKAGES)}", suite, str(new)]
            done = subprocess.run(command, capture_output=True, text=True, timeout=FIRST_S, check=False)
            if done.returncode:
                raise NoRootError(f"Debian's mirror cannot be reached: {done.stderr.strip()[-200:]}")
            new.rename(made)
    return made


def wheels(folder: Path) -> None:
    """All wheels that an installation without a network needs, the companion's own not among them."""
    with alone("wheels"):
        kept = KEPT / f"wheels-{hashlib.sha256((REPOSITORY / 'pyproject.toml').read_bytes()).hexdigest()[:12]}"
        if not kept.exists():
            new = kept.with_suffix(".new")
            for what in (f"{REPOSITORY}[print]", "hatchling"):
                pip("wheel", "--quiet", "--wheel-dir", str(new), what)
            for own in new.glob("tabletop_companion-*"):
                own.unlink()
            new.rename(kept)
    shutil.copytree(kept, folder, dirs_exist_ok=True)


def working_folder(folder: Path, version: str = "", also: Callable[[Path], object] | None = None) -> Path:
    """The files that git knows, as they are now, perhaps of another version and changed by `also`."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    for name in filter(None, listed.stdout.split("\0")):
        if (REPOSITORY / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(REPOSITORY / name, folder / name)
    if version:
        project = folder / "pyproject.toml"
        project.write_text(re.sub(r'^version = ".*"', f'version = "{version}"', project.read_text(), flags=re.M))
    if also is not None:
        also(folder)
    return folder


def wheel_of(folder: Path, into: Path) -> None:
    """The wheel of a working folder."""
    pip("wheel", "--quiet", "--no-deps", "--wheel-dir", str(into), str(folder))


def pip(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments], check=True)


class RealMachine:
    """One machine that runs. `root` is its file system."""

    def __init__(self, root: Path, log: Path) -> None:
        self.root, self._log = root, log
        self._nspawn: subprocess.Popen[bytes] | None = None

    def boot(self, *kernel: str, options: Sequence[str] = ()) -> None:
        """Switches it on, with these words on the kernel's command line, and options of systemd-nspawn."""
        command = ["systemd-nspawn", "--quiet", f"--directory={self.root}", "--register=no", "--keep-unit",
                   "--private-network", "--console=pipe", "--link-journal=no", *options, "--boot", *kernel]
        with self._log.open("ab") as log:
            self._nspawn = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def is_up(self) -> None:
        """Waits until everything has started."""
        try:
            self.wait(lambda: self.run("systemctl", "is-system-running").strip() in ("running", "degraded") or None)
        except AssertionError as error:
            raise NoRootError(f"systemd does not start here: {self._log.read_text(errors='replace')[-300:]}") from error

    def off(self) -> None:
        """Switches it off."""
        if self._nspawn is None:
            return
        with suppress(AssertionError, ProcessLookupError):
            self.run("systemctl", "poweroff")
        try:
            self._nspawn.wait(30)
        except subprocess.TimeoutExpired:
            self._nspawn.kill()
            self._nspawn.wait()
        self._nspawn = None

    def ended(self, within_s: float = WAIT_S) -> int:
        """Its exit code once it has switched itself off."""
        assert self._nspawn is not None
        code = self._nspawn.wait(within_s)
        self._nspawn = None
        return code

    def done(self, *command: str) -> subprocess.CompletedProcess[str]:
        """What a command of root's said there."""
        inside = ["nsenter", "--target", str(self._first()), "--all", *SURROUNDINGS]
        at_root = ["sh", "-c", 'cd / && exec "$@"', "sh"]
        return subprocess.run(
            [*inside, *at_root, *command], capture_output=True, text=True, timeout=FIRST_S, check=False)

    def run(self, *command: str) -> str:
        """The same, on its standard output alone, however it ended."""
        return self.done(*command).stdout

    def wait(self, ask: Callable[[], Answer | None], within_s: float = WAIT_S) -> Answer:
        """What this gives once it gives something."""
        until_s = time.monotonic() + within_s
        while time.monotonic() < until_s:
            with suppress(LookupError, OSError):
                if (answer := ask()) is not None:
                    return answer
            time.sleep(0.2)
        raise AssertionError(f"nothing came; the journal says:\n{self.journal()}")

    def journal(self) -> str:
        """The last lines that the companion and systemd said."""
        with suppress(LookupError, OSError):
            return self.run("journalctl", "--no-pager", "--lines=40", "--output=cat", "--unit=companion*")
        return self._log.read_text(errors="replace")[-2000:]

    def ask(self, path: str = "/", data: str | None = None, port: int = 8080) -> tuple[int, str]:
        """The answer of the pages, asked there by one phone that keeps its cookies; status 0 for none."""
        told = self.done("python3", "-c", PHONE, f"http://127.0.0.1:{port}", path, *([] if data is None else [data]))
        status, _, body = told.stdout.partition("\n")
        return int(status or 0), body

    def page(self, said: str, path: str = "/", within_s: float = WAIT_S) -> str:
        """A page once it says this."""

        def asked() -> str | None:
            _, body = self.ask(path)
            return body if said in body else None

        return self.wait(asked, within_s)

    def shows(self, *properties: str) -> dict[str, str]:
        """What systemd knows of the service."""
        told = self.run("systemctl", "show", "companion.service", f"--property={','.join(properties)}")
        return dict(line.split("=", 1) for line in told.splitlines())

    def _first(self) -> int:
        assert self._nspawn is not None, "it is switched off"
        assert self._nspawn.poll() is None, "it has switched itself off"
        children = Path(f"/proc/{self._nspawn.pid}/task/{self._nspawn.pid}/children").read_text().split()
        return int(children[0])


PHONE: Final = """
import sys, urllib.error, urllib.request as u, http.cookiejar as c
home, path, *data = sys.argv[1:]
jar = c.LWPCookieJar("/run/cookies")
try: jar.load(ignore_discard=True)
except OSError: pass
asked = u.Request(home + path, data[0].encode() if data else None, {"Origin": home})
try: answer = u.build_opener(u.HTTPCookieProcessor(jar)).open(asked, timeout=10)
except urllib.error.HTTPError as error: answer = error
except OSError: sys.exit(1)
print(answer.status)
print(answer.read().decode())
jar.save(ignore_discard=True)
"""


@contextmanager
def machine(lower: Path, folder: Path) -> Iterator[RealMachine]:
    """A machine whose files are those of `lower`; what it changes is in `folder` and goes with it."""
    root, upper, work = folder / "root", folder / "upper", folder / "work"
    for each in (root, upper, work):
        each.mkdir(parents=True)
    layers = f"lowerdir={lower},upperdir={upper},workdir={work}"
    command = ["mount", "-t", "overlay", "overlay", "-o", layers, str(root)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NoRootError(f"no file system can be laid over another: {done.stderr.strip()}")
    made = RealMachine(root, folder / "console.log")
    try:
        yield made
    finally:
        made.off()
        subprocess.run(["umount", "--lazy", str(root)], check=False)
        shutil.rmtree(folder, ignore_errors=True)
