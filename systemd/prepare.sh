#!/bin/sh
# Makes a Python environment with the companion and all that it needs. Quick when there is nothing to do.
#
#   sh systemd/prepare.sh [--venv DIR] [--extras LIST] [--copy] [--from WHAT] [--wheels DIR] [--browser] [--packages]
#
#   --venv DIR      where the environment is made (.venv)
#   --extras LIST   extras of pyproject.toml (print)
#   --copy          install a copy, not the working folder itself
#   --from WHAT     this working folder or wheel, instead of the folder that this script lies in
#   --wheels DIR    take all libraries from this folder of wheels: nothing is downloaded
#   --packages      only what comes from apt; prints the Python that is to be used
#   --browser       Chromium too, for the tests of the pages; goes on without when it cannot be had
#
# What is missing on the machine comes from apt, without a question where that needs no password; otherwise the one
# line to run is printed. PYTHON names another Python than python3.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
venv=$root/.venv
wheels=
packages=no
extras=print
editable=-e
browser=no
while [ $# -gt 0 ]; do
    case $1 in
        --venv) venv=$2; shift ;;
        --extras) extras=$2; shift ;;
        --copy) editable= ;;
        --from) root=$2; shift ;;
        --wheels) wheels=$2; shift ;;
        --packages) packages=yes ;;
        --browser) browser=yes ;;
        *) echo "prepare.sh does not know $1." >&2; exit 2 ;;
    esac
    shift
done

say() { echo "$*" >&2; }

is_pi() { [ -e /proc/device-tree/system/linux,revision ]; }

# Whether Python can load all these shared libraries, or find all these modules.
loads() { "$python" -c 'import ctypes, sys; [ctypes.CDLL(name) for name in sys.argv[1:]]' "$@" 2>/dev/null; }
finds() { "$python" -c 'import sys
from importlib.util import find_spec
sys.exit(not all(map(find_spec, sys.argv[1:])))' "$@" 2>/dev/null; }

# Installs packages from apt; false when that is not possible without asking for a password.
from_apt() {
    command -v apt-get >/dev/null || return 1
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        sudo -n true 2>/dev/null || return 1
        as_root="sudo -n"
    fi
    say "Getting from apt: $*"
    install="$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends"
    $install "$@" >&2 || { $as_root apt-get update -q >&2 && $install "$@" >&2; }
}

choose_python() {
    # apt's picamera2 belongs to the system's Python, and to no other
    if is_pi; then python=/usr/bin/python3; else python=${PYTHON:-python3}; fi
    command -v "$python" >/dev/null || { say "Python is missing. Run: sudo apt install python3 python3-venv"; exit 1; }
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
        say "The companion needs Python 3.11 or newer; $python is $("$python" -V 2>&1). Name another: make run PYTHON=python3.12"
        exit 1
    }
}

missing_packages() {
    finds ensurepip venv || echo python3-venv
    loads libGL.so.1 || echo libgl1
    loads libglib-2.0.so.0 libgthread-2.0.so.0 || echo libglib2.0-0
    loads libSM.so.6 || echo libsm6
    loads libICE.so.6 || echo libice6
    loads libX11.so.6 || echo libx11-6
    if is_pi; then
        finds picamera2 || echo python3-picamera2
        finds lgpio || echo python3-lgpio
        finds RPi || echo python3-rpi-lgpio
    fi
}

get_packages() {
    missing=$(missing_packages | tr '\n' ' ')
    [ -n "$missing" ] || return 0
    # shellcheck disable=SC2086  # one word a package
    from_apt $missing || {
        say "Some packages are missing on this machine. Run this line, then try again:"
        say "    sudo apt install --no-install-recommends $missing"
        exit 1
    }
}

get_browser() {
    command -v chromium >/dev/null && command -v chromedriver >/dev/null && return 0
    from_apt chromium chromium-driver || {
        say "Chromium could not be installed, so the tests of the pages in a browser cannot run. To get it:"
        say "    sudo apt install --no-install-recommends chromium chromium-driver"
    }
}

make_venv() {
    "$venv/bin/python" -c '' 2>/dev/null && return 0
    say "Making a Python environment in $venv"
    if is_pi; then
        "$python" -m venv --clear --system-site-packages "$venv"
    else
        "$python" -m venv --clear "$venv"
    fi
}

install_companion() {
    say "Installing the companion and its libraries. The first time this takes some minutes."
    set -- --disable-pip-version-check
    if is_pi; then
        # apt's picamera2 was built against the system's numpy: another one would break it
        constraints=$venv/constraints.txt
        /usr/bin/python3 -c 'import numpy; print(f"numpy=={numpy.__version__}")' > "$constraints"
        set -- "$@" --only-binary :all: --constraint "$constraints"
        extras=$extras,pi
    fi
    [ -z "$wheels" ] || set -- "$@" --no-index --find-links "$wheels"
    # shellcheck disable=SC2086  # empty, or one word
    "$venv/bin/python" -m pip install "$@" $editable "${root}[$extras]" >&2 || {
        say "The libraries could not be had: see the lines above. Is this machine online? Then try again."
        exit 1
    }
}

choose_python
[ "$browser" = no ] || get_browser
if [ "$packages" = yes ]; then
    get_packages
    echo "$python"
    exit 0
fi
stamp=$venv/.prepared-$(echo "$extras" | tr ',' '-')
sum=wheel
[ ! -f "$root/pyproject.toml" ] || sum=$(cksum < "$root/pyproject.toml")
wanted="$sum $editable $root"
if [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] && [ -n "$editable" ] && "$venv/bin/python" -c '' 2>/dev/null; then
    exit 0
fi
get_packages
make_venv
install_companion
"$venv/bin/python" -c 'import cv2' || { say "OpenCV cannot be loaded: see the line above."; exit 1; }
echo "$wanted" > "$stamp"
