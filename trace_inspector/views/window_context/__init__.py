"""The context that every part gets, and what all of them need from the window. Imports widgets, and no part."""
