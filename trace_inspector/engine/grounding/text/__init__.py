"""Words, sentences, units and their lists: what is known of a language before anything is claimed."""
