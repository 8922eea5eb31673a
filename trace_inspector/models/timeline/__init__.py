"""A conversation over time. Imports evaluation, files and base."""
