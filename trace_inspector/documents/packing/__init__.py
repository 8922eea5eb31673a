"""Which packing a file has, and what is inside. Imports zip and text."""
