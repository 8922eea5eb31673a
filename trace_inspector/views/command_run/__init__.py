"""“Run a command and reload”: the dialog for the person's own command."""
