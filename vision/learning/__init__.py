"""What players say while they play, turned into examples of how pieces look.

The highest room: it reads pictures again with the whole pipeline to see that nothing got worse. Takes no part in a
reading; nothing else in the eyes imports it.
"""
