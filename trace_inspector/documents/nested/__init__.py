"""Documents that stand as text in a value of another. Imports json."""
