"""Tables with separators: cells, documents, places. Imports base."""
