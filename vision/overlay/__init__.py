"""What was read, drawn over the picture for people to see. Imports only `imaging`."""
