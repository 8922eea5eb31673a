"""Listening for the window: the receiver, and the verdicts of what it records, each in a child. Imports runs."""
