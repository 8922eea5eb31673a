"""Eval sets and criteria of google-adk, read, written and edited. Imports session."""
