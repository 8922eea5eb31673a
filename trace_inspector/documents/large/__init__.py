"""Files too large to be held as one value, read piece by piece. Imports reading and below."""
