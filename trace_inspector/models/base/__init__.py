"""One file as rows with their verdicts, the selection, and the roles of items. Imports work."""
