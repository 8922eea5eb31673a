"""Two runs held against each other: what got better, what worse, case by case and criterion by criterion."""
