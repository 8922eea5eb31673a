"""Conversations side by side: painted rows on common heights, and what can be taken from one side into the other."""
