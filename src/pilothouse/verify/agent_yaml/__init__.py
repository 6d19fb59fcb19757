"""What a repository says in agent.yaml about how work on it is verified."""
