"""Sessions of opencode as it exports them, and their messages as its server gives them."""
