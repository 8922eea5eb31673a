"""Two runs held against each other: what got better, what worse, case by case. Imports Compare, and blocks."""
