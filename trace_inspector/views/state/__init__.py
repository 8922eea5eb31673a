"""The State panel: the session state around the selection, and the agents with their instructions. Imports blocks."""
