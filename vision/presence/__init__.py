"""Is the table free to be read? Hands, things beside the play area, pictures from which nothing can be read.

Answered from the small picture, in a few milliseconds: nothing that reads pieces may enter. Imports `imaging`,
`fiducials`, `photometry`.
"""
