"""What an agent did: traces, turns, steps, tools, and what a golden or a file says beside them. Imports values."""
