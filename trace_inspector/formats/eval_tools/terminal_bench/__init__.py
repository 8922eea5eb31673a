"""Results of Terminal-Bench."""
