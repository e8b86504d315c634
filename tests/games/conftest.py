"""Lets the games' tests share `second_opinion.py` from their folders."""
