"""Bytes as text: encodings, places in lines, patches, regular files. Imports core."""
