"""The child that holds a golden while it is edited, and the drafts of what is typed. Imports runs."""
