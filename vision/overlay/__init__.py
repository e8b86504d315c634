"""What was read, drawn over the picture for people to see. Imports `imaging` and `fiducials`."""
