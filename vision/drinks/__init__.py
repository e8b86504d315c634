"""Drinks that stand upright: solids of rings, painted in their enrolled colours and compared with the picture.

Which drink stands where, as costs; nothing of rules. Imports `scene` and what is below; not `bodies`, not `faces`.
"""
