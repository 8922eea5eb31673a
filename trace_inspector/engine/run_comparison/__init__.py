"""Two runs of the same cases held against each other: what got better, what worse, and how sure that is."""
