"""The window: one folder a part of it. Each imports only folders that stand below it, and models."""
