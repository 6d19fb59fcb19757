"""Agents: who works, what they are told, what they may use and what they used."""
