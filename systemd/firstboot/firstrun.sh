#!/bin/sh
# For Raspberry Pi OS that is set up by firstrun.sh (12, bookworm), not by cloud-init: on the card's first partition
# rename firstrun.sh, as Raspberry Pi Imager wrote it, to firstrun-imager.sh, and copy this file and
# companion-firstboot.sh there. It runs before there is a network, so that the companion is installed at the next start.
boot=/boot/firmware

if [ -f "$boot/firstrun-imager.sh" ]; then bash "$boot/firstrun-imager.sh"; fi
sh "$boot/companion-firstboot.sh"
rm -f "$boot/firstrun.sh" "$boot/firstrun-imager.sh"
sed -i 's| systemd\.run[^ ]*||g; s| systemd\.unit=kernel-command-line\.target||g' "$boot/cmdline.txt"
exit 0
