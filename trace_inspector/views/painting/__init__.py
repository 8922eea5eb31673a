"""The list that views paint: which rows are visible, and the shapes that rows are made of. Imports widgets."""
