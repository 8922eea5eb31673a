"""What google-adk itself decided. Imports eval_set and session."""
