#!/bin/sh
# Installs the companion as a service that starts with the machine. Run it again to update: what is configured is kept.
#
#   sudo sh systemd/install.sh                    # needs the network
#   sudo sh systemd/install.sh --wheels DIR       # takes everything from a folder of wheels
#
# A folder of wheels is made where there is a network, with the same Python, by:
#   pip wheel --wheel-dir DIR '.[print]'
set -eu

here=$(cd "$(dirname "$0")" && pwd)
[ "$(id -u)" -eq 0 ] || { echo "Run this as root: sudo sh systemd/install.sh" >&2; exit 1; }

python=$(sh "$here/prepare.sh" --packages)
cd /
PYTHONPATH=$here/.. PYTHONDONTWRITEBYTECODE=1 exec "$python" -m companion.box.install --from "$here/.." "$@"
