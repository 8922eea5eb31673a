"""The Failure modes panel: the board of modes, their examples, notes without a mode, and where it went wrong."""
