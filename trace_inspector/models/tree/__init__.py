"""The tree of traces and its cells. Imports runs."""
