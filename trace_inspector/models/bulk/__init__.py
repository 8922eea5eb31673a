"""Edits of whole cases, and of many at once. Imports golden and what lies below it."""
