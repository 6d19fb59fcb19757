"""Pilothouse keeps a person at the wheel of coding agents."""

__version__ = "0.1.0"
