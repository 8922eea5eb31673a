"""“Query results”: SQL over a results folder, with ready-made questions. Imports the window context and widgets."""
