"""Evaluation items and datasets of Vertex AI, read, written and edited. Imports its own common room."""
