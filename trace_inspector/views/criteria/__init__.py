"""The criteria editor."""
