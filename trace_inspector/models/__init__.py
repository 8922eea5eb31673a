"""QtCore and QtGui: the workspace, undo commands, item models. No widgets."""
