"""Choosing how to evaluate, before anything is sent."""
