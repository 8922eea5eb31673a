"""Data sets and reports of pydantic-evals."""
