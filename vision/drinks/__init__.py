"""Drinks that stand upright: solids of rings, rendered in their enrolled colours and compared with the picture.

Gives costs of hypotheses; knows no rules. Imports `scene` and what is below; not `bodies`, not `faces`.
"""
