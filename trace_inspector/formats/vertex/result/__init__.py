"""What Vertex AI itself decided. Imports item."""
