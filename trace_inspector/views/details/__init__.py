"""The Details panel: Content, Golden, Verdicts, Raw of what is selected. Imports the Golden tab, answers, blocks."""
