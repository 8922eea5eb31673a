"""Sessions of Gemini CLI: one object, or lines of which a later one replaces an earlier one."""
