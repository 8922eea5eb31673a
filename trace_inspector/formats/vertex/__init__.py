"""Vertex AI: eval items, datasets and results, in the folders below."""
