"""What must not be read: taken out of values before anything is written, and looked for after."""
