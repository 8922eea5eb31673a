"""The current run, kept runs and comparisons of runs. Imports evaluation."""
