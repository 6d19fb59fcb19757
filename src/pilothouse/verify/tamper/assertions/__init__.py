"""Reads what one test asserts, in five languages."""
