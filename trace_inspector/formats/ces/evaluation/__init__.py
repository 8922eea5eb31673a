"""Evaluations of CES, golden and scenario, read, written and edited. Imports its own common room."""
