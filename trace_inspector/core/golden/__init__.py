"""Goldens: cases, matchers, changes of them, promoting a trace to one. Imports verdict and below."""
