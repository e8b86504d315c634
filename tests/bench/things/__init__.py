"""Many things and hands on tables that nobody has seen, in small pictures: all that the gate looks at.

    pictures  makes them, run by the maker's own Python: it knows nothing of the project
"""
