"""Fields of the Golden tab: arguments, lines, texts, chips; what a section is. Imports blocks, and no section."""
