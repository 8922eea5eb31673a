"""The tree of one file, and its cells. Imports evaluation, files and base."""
