"""The Workspace panel: what is open. Imports the window context and widgets."""
