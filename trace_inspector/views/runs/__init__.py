"""The Runs panel: what was evaluated before, in figures. Imports the window context, blocks and widgets."""
