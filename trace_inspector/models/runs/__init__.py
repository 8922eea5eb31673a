"""Kept runs: listed, overruled, held against each other. Imports compare and what lies below it."""
