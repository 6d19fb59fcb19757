"""Runs a project's checks, and reads what they printed."""
