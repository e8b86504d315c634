"""The eyes put together: a frame goes in, a look with its observation comes out.

The one room that knows all the others; nothing is computed here that a room below could.
"""
