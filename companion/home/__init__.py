"""Beside other things in a home: what a home's broker is told, and other companions in the network.

Looks down at the session's snapshots and at words; never at pages, cameras or pins. What goes out here is what
everybody at the table may see: the snapshot of the room, which `Game.view` has redacted. Nothing of it runs unless the
config asks.

    told        from a snapshot to what a home is told, and how Home Assistant finds it: pure functions
    broker      the thread that tells it to a broker (MQTT, by paho-mqtt)
    beside      other companions in this network (mDNS, by zeroconf)
"""
