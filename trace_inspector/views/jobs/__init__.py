"""The Jobs panel: what runs, how far it is, and Stop. Imports the window context and widgets."""
