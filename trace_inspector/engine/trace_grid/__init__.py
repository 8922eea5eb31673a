"""Two or three conversations on common rows, for people to look through: what relates how, what counts by whom."""
