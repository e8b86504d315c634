"""The eyes as a whole: a frame goes in, a look with its observation comes out.

Connects the rooms below; nothing is computed here that one of them could.
"""
