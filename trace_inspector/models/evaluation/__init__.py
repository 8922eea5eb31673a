"""The shown run, the options of the next one, and the problems of both. Imports files and base."""
