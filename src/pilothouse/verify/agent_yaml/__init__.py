"""Reads and writes agent.yaml, which says how work on a repository is verified."""
