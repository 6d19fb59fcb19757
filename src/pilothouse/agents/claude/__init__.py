"""Claude Code behind the port: the program inside `claude-agent-sdk`, or the person's own newer one."""
