"""One file per metric. METRICS is the one list."""
