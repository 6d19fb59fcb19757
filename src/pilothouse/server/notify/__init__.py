"""Tells a person who is not looking."""
