"""A trace as flat columns, which is what crosses processes and what tables show. Imports everything below it."""
