"""The reserved key: what a format has no field for is kept under it. Imports common."""
