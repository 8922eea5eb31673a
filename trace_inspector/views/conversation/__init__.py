"""The Conversation view: a case or trace as a reader would want it. Imports answers, painting and blocks."""
