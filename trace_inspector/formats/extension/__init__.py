"""The reserved key: what a format has no field for, kept beside it. Imports common."""
