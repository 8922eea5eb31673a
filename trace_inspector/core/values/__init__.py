"""JSON values: pointers into them, edits of them, how their numbers are spelled. Imports the standard library."""
