"""Boards watched by their four corners alone, without tag cards and without enrolment.

Pieces are told by occupancy and colour: how empty places and pieces of each colour look is learned from the first free
look at a placement that is known. Nothing here knows what game is played; lengths come from its layout.
"""
