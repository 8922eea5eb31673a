"""What a document is, whatever its container. Imports packing and below."""
