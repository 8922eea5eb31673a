"""Saving edited files, and everything that may prevent it. Imports the window context and widgets."""
