"""Which judge answers, with which key and at what price. Imports engine and store."""
