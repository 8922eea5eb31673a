"""Conversations of OpenHands: the list of its first generation, the events of its SDK."""
