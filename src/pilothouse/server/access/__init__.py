"""Decides who may speak to the server, and under which names it answers."""
