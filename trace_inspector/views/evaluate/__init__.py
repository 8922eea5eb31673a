"""Choosing how to evaluate, before anything is sent. Imports the window context and widgets."""
