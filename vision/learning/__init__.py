"""Online learning: corrections by players become examples of how pieces look.

The highest room: it reads pictures again with the whole pipeline to verify that nothing got worse. Takes no part in a
reading; nothing else in the eyes imports it.
"""
