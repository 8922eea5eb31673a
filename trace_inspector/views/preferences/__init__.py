"""What a person prefers: judge, key, theme, text size, folder. Imports fields of “Evaluate with”, words of saving."""
