"""Results that are records: what a sentence says of one, of several, or of what follows by arithmetic."""
