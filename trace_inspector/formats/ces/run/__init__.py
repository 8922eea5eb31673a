"""Runs of evaluations of CES and the requests for them. Imports result."""
