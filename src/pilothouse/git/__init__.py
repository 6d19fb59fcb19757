"""Exact checkpoints and diffs of a workspace, and what a person does with its changes.

Everything here is synchronous: callers run it in a thread, several workspaces at once.
"""
