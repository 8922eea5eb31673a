"""Conversations side by side, and taking over what one has. Imports golden and what lies below it."""
