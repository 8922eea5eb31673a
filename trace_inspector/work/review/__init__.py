"""Labels on their way to the disk, in a thread."""
