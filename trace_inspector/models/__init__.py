"""QtCore and QtGui: the parts of a window that need no widgets, in the layers that pyproject.toml holds them to."""
