#!/bin/sh
# Installs the companion as a service that starts with the machine. Run it again to update: what is there is kept.
#
#   sudo sh systemd/install.sh
set -eu

here=$(cd "$(dirname "$0")" && pwd)
[ "$(id -u)" -eq 0 ] || { echo "Run this as root: sudo sh systemd/install.sh" >&2; exit 1; }

mkdir -p /opt/companion /etc/companion
sh "$here/prepare.sh" --venv /opt/companion/venv --copy

install -m 644 "$here/companion.sysusers" /usr/lib/sysusers.d/companion.conf
install -m 644 "$here/companion.rules" /usr/lib/udev/rules.d/70-companion.rules
install -m 644 "$here/companion.service" /etc/systemd/system/companion.service
[ -e /etc/companion/companion.toml ] || install -m 644 "$here/companion.toml" /etc/companion/companion.toml
ln -sf /opt/companion/venv/bin/companion /usr/local/bin/companion

systemd-sysusers companion.conf
udevadm control --reload
udevadm trigger --subsystem-match=gpio --subsystem-match=dma_heap
systemctl daemon-reload
systemctl enable companion.service
systemctl restart companion.service || {
    echo "The companion does not start. What it says: journalctl -u companion -n 20" >&2
    exit 1
}
/opt/companion/venv/bin/companion wiring --config /etc/companion/companion.toml
echo "The companion runs. Its address: journalctl -u companion -n 5"
