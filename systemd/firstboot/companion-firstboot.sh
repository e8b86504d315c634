#!/bin/sh
# Lies beside user-data or firstrun.sh on the card's first partition, and lets the companion be installed at the first
# start, as soon as the machine is online. REPOSITORY is the address that the companion is cloned from.
#
#   companion-firstboot.sh             a unit does it from the next start on, and tries again until it went well
#   companion-firstboot.sh --now       the same, beginning now
#   companion-firstboot.sh --install   what the unit runs
set -eu

repository=REPOSITORY
source=/opt/companion-source
program=/usr/local/sbin/companion-firstboot
unit=companion-firstboot.service

tell() {
    code=$?
    [ "$code" -eq 0 ] || echo "The companion is not installed yet: the lines above say why. If this machine is not online, connect it. I try again in a minute." >&2
    exit "$code"
}

install_companion() {
    trap tell EXIT
    command -v git >/dev/null || { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q git; }
    rm -rf "$source"
    git clone --quiet --depth 1 "$repository" "$source"
    sh "$source/systemd/install.sh"
    systemctl disable --quiet "$unit"
    echo "The companion is installed: open http://$(hostname).local on a phone in the same network."
}

case ${1:-} in
    --install) install_companion; exit 0 ;;
    --now | '') ;;
    *) echo "companion-firstboot.sh does not know $1." >&2; exit 2 ;;
esac
cp "$0" "$program"
cat > "/etc/systemd/system/$unit" <<END
[Unit]
Description=Installs the tabletop companion as soon as this machine is online
Wants=network-online.target
After=network-online.target time-sync.target
ConditionPathExists=!/opt/companion/current
# a home without a network for a week is no reason to give up
StartLimitIntervalSec=0

[Service]
Type=oneshot
ExecStart=/bin/sh $program --install
Restart=on-failure
RestartSec=60
TimeoutStartSec=2h

[Install]
WantedBy=multi-user.target
END
mkdir -p /etc/systemd/system/multi-user.target.wants
ln -sf "../$unit" "/etc/systemd/system/multi-user.target.wants/$unit"
[ "${1:-}" != --now ] || { systemctl daemon-reload && systemctl start --no-block "$unit"; }
sync -f "$program"
