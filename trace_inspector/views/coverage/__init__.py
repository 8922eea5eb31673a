"""“Coverage”: what the goldens exercise, and what none does."""
