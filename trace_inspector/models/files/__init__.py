"""The open files, and what of them is selected together or was visited. Imports base."""
