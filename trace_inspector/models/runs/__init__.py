"""Stored runs: listed, overruled, compared with each other. Imports compare and what lies below it."""
