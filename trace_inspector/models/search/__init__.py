"""Filters, text search, and navigation between failures. Imports evaluation, files and base."""
