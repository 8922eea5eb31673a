"""Which trace belongs to which case. Imports core."""
