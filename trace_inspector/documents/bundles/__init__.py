"""Folders and archives whose files belong together as one document. Imports json and below."""
