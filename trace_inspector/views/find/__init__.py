"""Finding text across everything that is open."""
