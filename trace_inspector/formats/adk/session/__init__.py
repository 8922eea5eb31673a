"""Recorded sessions of google-adk, files and databases. Imports its own common room."""
