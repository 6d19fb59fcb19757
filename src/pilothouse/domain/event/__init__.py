"""The events of the log, a module for each family."""
