"""What a person prefers: judge, key, theme, letters, folder. Imports fields of “Evaluate with”, words of saving."""
