"""Filters, finding, and the way to what failed. Imports evaluation, files and base."""
