"""Saving what was edited, and everything that may stand in its way."""
