"""Goldens that are edited: fields, calls, saving. Imports runs."""
