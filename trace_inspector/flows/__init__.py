"""What the window and the commands both do: open, evaluate, edit, convert, composed from the rooms below. No Qt."""
