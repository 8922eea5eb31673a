"""Words that name attributes and states and how a sentence is meant, and how they are found."""
