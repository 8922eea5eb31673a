"""A path becomes a document: packing, container, encoding. Imports every container."""
