"""The commands of `companion` (attic): each module is one command; heavy imports happen inside the command.
"""
