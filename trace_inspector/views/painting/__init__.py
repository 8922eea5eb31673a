"""What painted lists are drawn with: lines of text, chips, marks and frames. Imports widgets."""
