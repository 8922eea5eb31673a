"""Datasets of Ragas and what its metrics gave."""
