"""Pages with data inside: an evidence pack is one HTML file that people read, and the program opens again."""
