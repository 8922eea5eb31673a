"""Writes the labelled sentences about tool results in tests/data/grounding, from phrase lists and by hand."""
