"""Puts together what the screens show, from the store."""
