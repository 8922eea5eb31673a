"""What a person prefers: judge, key, theme, letters, folder."""
