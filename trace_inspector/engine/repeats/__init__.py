"""Several runs of the same case: how often it passes, and whether that is chance. Imports metrics."""
