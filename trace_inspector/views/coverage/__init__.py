"""“Coverage”: what the goldens exercise, and what none does. Imports the window context and widgets."""
