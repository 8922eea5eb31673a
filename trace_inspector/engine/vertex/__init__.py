"""Vertex AI's metrics and defaults: each compares or judges one whole conversation, as its service does."""
