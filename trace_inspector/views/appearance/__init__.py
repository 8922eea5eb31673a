"""Colours, fonts, icons and theme. Imports Qt, and the drawings among the resources."""
