"""The Problems panel: what failed and what is odd. Imports the window context and widgets."""
