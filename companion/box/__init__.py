"""The companion as a box that nobody logs in to: installed, started, updated, and put right from a phone.

    launch          what systemd starts: a file of its own, which chooses the version and counts failed starts
    lives           how the service tells it that a start went well, or why not
    layout          where an installed companion lies; `versions`: side by side, one in use, changed in one rename
    system_files    units, users, rules: written whole or not at all
    config_versions a config of an older version, written anew with a copy of the old
    good_config     the config with which the companion last started well
    wish            what the service leaves for root, and root for the service; `news` tells that once
    updating        another version with a way back; `updater`: what root's unit runs, `rehearsal`: a start on a copy
    safe            the page that comes when the companion does not start
    install         a version beside the old one (`systemd/install.sh` comes here)

`launch`, `layout`, `versions`, `system_files`, `config_versions`, `wish` and `install` also run where no library is
installed yet: they need the standard library only. Looks down at `session`, `hardware` and `web`; what runs in the
service is handed in by `main`.
"""
