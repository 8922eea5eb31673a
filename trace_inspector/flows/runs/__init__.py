"""Evaluating, comparing, auditing, and the reports of it. Imports goldens, judges and opening."""
