"""Saving what was edited, and everything that may stand in its way. Imports the window context and widgets."""
