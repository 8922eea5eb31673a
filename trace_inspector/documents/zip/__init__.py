"""Archives: their directory, their members, and how one member is written again. Imports text."""
