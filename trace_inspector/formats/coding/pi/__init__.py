"""Sessions of pi: lines that form a tree, of which the last line ends the branch that counts."""
