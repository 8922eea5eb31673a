"""The filter: its field in the tool bar, what pops up under it, the line below the views. Imports window context."""
