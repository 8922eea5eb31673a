"""The table of traces. Imports widgets."""
