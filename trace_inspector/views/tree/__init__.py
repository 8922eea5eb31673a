"""The table of traces. Imports blocks and widgets."""
