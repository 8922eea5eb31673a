"""Evaluations, comparisons and reports in children. Imports reading."""
