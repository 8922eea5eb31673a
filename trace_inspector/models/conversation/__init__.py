"""A trace as a conversation. Imports base."""
