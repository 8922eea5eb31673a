"""Runs of an evaluation: what is to be judged by, and what came of it."""
