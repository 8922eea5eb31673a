"""Labels of people: their files and folders, and the queue of what is asked next."""
