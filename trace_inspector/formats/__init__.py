"""One file per format: how to recognise it, read it into core, write core back. FORMATS is the one list."""
