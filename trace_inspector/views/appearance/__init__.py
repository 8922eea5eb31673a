"""Colours, letters, icons and theme. Imports Qt, and the drawings among the resources."""
