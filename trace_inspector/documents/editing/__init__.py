"""Places of values and the splice that changes one of them, in every container. Imports reading."""
