"""Colours, letters, icons and theme. Imports Qt."""
