"""The Runs panel: what was evaluated before, in figures."""
