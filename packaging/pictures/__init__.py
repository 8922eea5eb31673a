"""Pictures of the window: those of the README and the tour, and every view in every state to be looked at."""
