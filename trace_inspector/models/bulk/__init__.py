"""Edits of many cases at once. Imports golden."""
