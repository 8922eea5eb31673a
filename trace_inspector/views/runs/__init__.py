"""The Runs panel: earlier evaluations in figures. Imports the window context, blocks and widgets."""
