"""Results that are records: what a sentence says of one of them, of several, or of what follows from them by arithmetic."""
