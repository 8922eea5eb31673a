"""The Judge calls panel: the prompts of judges, their replies, and what was parsed from them. Imports blocks."""
