"""Reports of scrapi. Imports ces and below."""
