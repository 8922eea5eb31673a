"""Databases as documents, read from a copy. Imports base."""
