"""Dialogs of the Help menu: keys, about, the report of a fault. Imports the window context and widgets."""
