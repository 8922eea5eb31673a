"""The Golden tab of Details: the golden of what is selected, to be edited."""
