"""“Run a command and reload”: the dialog for the person's own command. Imports the window context and widgets."""
