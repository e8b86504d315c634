#!/bin/sh
# Takes the companion off this machine. Games, pieces, settings and the config stay; --all removes them too.
#
#   sudo sh systemd/uninstall.sh [--all]
set -eu

[ "$(id -u)" -eq 0 ] || { echo "Run this as root: sudo sh systemd/uninstall.sh" >&2; exit 1; }
all=no
case ${1:-} in
    '') ;;
    --all) all=yes ;;
    *) echo "uninstall.sh does not know $1." >&2; exit 2 ;;
esac

if command -v systemctl >/dev/null; then
    systemctl disable --now companion.service companion-update.path companion-door.socket 2>/dev/null || true
fi
for file in companion.service companion-update.service companion-update.path companion-door.socket companion-door@.service; do
    rm -f "/etc/systemd/system/$file"
done
rm -f /usr/lib/sysusers.d/companion.conf /usr/lib/tmpfiles.d/companion.conf /usr/lib/udev/rules.d/70-companion.rules
rm -f /etc/avahi/services/companion.service /usr/local/bin/companion /usr/lib/systemd/journald.conf.d/60-companion.conf
rm -rf /opt/companion /var/lib/companion-update
if [ "$all" = yes ]; then
    rm -rf /etc/companion /var/lib/companion
    if id companion >/dev/null 2>&1; then userdel companion; fi
fi
if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    systemctl reset-failed companion.service 2>/dev/null || true
    systemctl try-reload-or-restart systemd-journald.service
fi
sync -f /opt
if [ "$all" = yes ]; then
    echo "The companion is gone, with all its games."
else
    echo "The companion is gone. Its games are kept in /var/lib/companion, its config in /etc/companion."
fi
