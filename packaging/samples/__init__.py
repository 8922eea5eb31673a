"""The story behind the sample files, and one module per kind of file it is told in."""
