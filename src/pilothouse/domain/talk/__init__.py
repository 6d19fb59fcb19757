"""Questions, permissions and messages between an agent and a person."""
