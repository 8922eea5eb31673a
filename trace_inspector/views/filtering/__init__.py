"""The filter: its field in the tool bar, its popup, the line below the views. Imports window context."""
