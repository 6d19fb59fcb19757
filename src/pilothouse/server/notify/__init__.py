"""Notifies a person who is not looking."""
