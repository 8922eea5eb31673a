"""Files and folders read in a child, watched, written. Imports processes."""
