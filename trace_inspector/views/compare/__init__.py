"""Conversations side by side: painted rows on common heights, and what is taken from one side into the other.

Imports the shapes of the Conversation view, the window context and widgets.
"""
