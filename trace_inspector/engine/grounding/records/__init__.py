"""What records say of a sentence that speaks of one of them, of several or of all."""
