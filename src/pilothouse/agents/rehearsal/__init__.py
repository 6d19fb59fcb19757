"""The built-in agent: plays scenarios from a file, with real edits, real commands and real failures."""
