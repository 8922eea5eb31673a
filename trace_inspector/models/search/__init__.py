"""Filters and finding. Imports base."""
