"""Rebasing the goldens of files onto a new run: proposals, decisions, verdicts in advance, and saving."""
