"""The Golden tab of Details: the golden of what is selected, to be edited. Imports the Criteria panel, and blocks."""
