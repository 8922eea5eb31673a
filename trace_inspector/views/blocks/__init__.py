"""Pieces that several parts show: facts and texts in groups, a JSON value as a tree, raw text. Imports widgets."""
