"""Metrics that are not ours: of commands that a person named, and of plugins."""
