"""Exact checkpoints and diffs of a workspace, and what a person does with its changes.

All of it is synchronous: call it in a thread. Several workspaces can be worked on at once.
"""
