"""Formats that other distributions add: their rows, guarded, so that their faults are findings."""
