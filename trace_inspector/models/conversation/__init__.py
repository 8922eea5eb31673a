"""A trace as a conversation. Imports evaluation and base."""
