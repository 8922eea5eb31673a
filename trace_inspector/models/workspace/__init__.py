"""Owns the open files, the run and the selection. Imports everything below."""
