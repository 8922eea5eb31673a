"""The open files, multiple selection, recent files and visited places. Imports base."""
