"""The Judge calls panel: what judges were asked, what they replied, and what was read of it. Imports blocks."""
