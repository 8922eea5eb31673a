"""The comparison of two runs: what got better, what worse, case by case. Imports Compare, and blocks."""
