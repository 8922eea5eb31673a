"""Goldens while they are edited: from promotion to saving and recovery. Imports evaluation, files and base."""
