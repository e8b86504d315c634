"""Builds every object of the service by keyword and hands them to each other: the one place that knows all rooms."""
