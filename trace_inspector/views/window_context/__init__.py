"""What every part is given to work with, and what all of them ask of the window. Imports widgets, and no part."""
