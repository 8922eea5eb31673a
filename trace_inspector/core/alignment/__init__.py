"""Which turn and which step of one trajectory belongs to which of another. Imports values and trace."""
