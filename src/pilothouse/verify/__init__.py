"""Finds a project's own checks and runs them. No model is involved."""
