"""Whole apps of CES: agents, tools, evaluations. Imports run and below."""
