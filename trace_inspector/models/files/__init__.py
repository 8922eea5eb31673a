"""The open files and ways between them. Imports base."""
