"""YAML: a reader, places of values, splices. Imports base."""
