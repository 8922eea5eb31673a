"""Conversations side by side: painted rows on common heights, and what is taken from one side into the other.

Imports what painted lists are drawn with, the window context and widgets.
"""
