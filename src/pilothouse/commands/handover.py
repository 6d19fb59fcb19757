"""`pilothouse mcp`: the running server as tools of another agent."""

from __future__ import annotations

from pilothouse.commands.connection import TokenText, Url
from pilothouse.commands.options import DataDir
from pilothouse.words import SOURCE, speaking


def mcp(url: Url = None, token: TokenText = None, data_dir: DataDir = None) -> None:
    """Serve submit, status, answer, cancel and list_sessions over MCP on standard input and output."""
    from pilothouse.client.handover import build
    from pilothouse.commands.connection import connect

    # Whoever reads this is an agent.
    speaking.set(SOURCE)
    build(lambda: connect(url, token, data_dir)).run()
