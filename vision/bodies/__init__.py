"""The measured poses of bodies: crates by their rims, boards by their print, boxes by their silhouette.

Does not read what lies on them. Imports `scene` and what is below; not `drinks`, not `faces`.
"""
