"""Fields in which a golden is typed. Imports widgets."""
