"""The filter of the window: the field in the tool bar, what pops up under it, the line below the views."""
