"""A file as it is: bytes, dialect, the place of every value, splices and atomic saves."""
