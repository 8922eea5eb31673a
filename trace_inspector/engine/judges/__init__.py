"""One file per kind of judge."""
