"""Every error Pilothouse raises on purpose.

PilothouseError
├── InvalidInput            400  a field is missing, malformed or refused
│   └── TooLarge            413  a body or a field is over its limit
├── NotLoggedIn             401  no cookie or bearer token, or a wrong one
├── Forbidden               403  Host or Origin is not ours
├── NotFound                404  no such project, session, task
├── Conflict                409  the thing is not in a state that allows this
│   ├── IllegalTransition   409  a move the transition table does not have
│   ├── AlreadyDone         409  a repeated request whose first answer was lost in a crash
│   ├── WorkspaceBusy       409  another task or session holds the workspace
│   ├── ResumeUnavailable   409  a saved part that soft resume needs is missing
│   ├── CommitRefused       409  git, or a hook of the person's, refused a commit; carries its own words
│   ├── ProposalRefused     409  a dry run's proposal cannot be applied; names the files and why
│   ├── MergeNeeded         409  the tree moved under a proposal; carries the merge to confirm
│   ├── RunnerBusy          409  another operation on the runner is under way
│   ├── NothingToBuild      409  no sources, or no command that builds them
│   ├── NoCredentials       409  the agent cannot log in to its provider
│   └── BadConfiguration    409  a configuration file cannot be used
│       ├── NoAgent         409  no agent is chosen, and none is ready
│       └── BadAgentYaml    409  agent.yaml, with every problem's line and column
├── TooManyAttempts         429  login is throttled
├── GitFailed               500  git refused; carries its own words
├── CheckpointFailed        500  a checkpoint could not be taken or restored
├── StorageDamaged          503  the database cannot be read
└── Unavailable             503  the runner is stopped or the server is going down

`code` is what HTTP answers call `error`; `next_action` is the one documented thing to do.

ClientError                      what a command that speaks to a server meets
├── NoServer                     none is running, or it does not answer
└── Refused                      it answered with one of the errors above
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar


class PilothouseError(Exception):
    code: ClassVar[str] = "internal"
    status: ClassVar[int] = 500
    next_action: ClassVar[str] = "Look into the server log, then try again."

    def __init__(self, message: str, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.details = dict(details) if details else None


class InvalidInput(PilothouseError):
    code = "invalid_input"
    status = 400
    next_action = "Correct the named field and send it again."

    def __init__(self, message: str, field: str | None = None, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(message, {**(details or {}), **({"field": field} if field else {})})


class TooLarge(InvalidInput):
    code = "too_large"
    status = 413
    next_action = "Shorten it and send it again."


class NotLoggedIn(PilothouseError):
    code = "not_logged_in"
    status = 401
    next_action = "Open the login link that the server printed, or send the token as a bearer token."


class Forbidden(PilothouseError):
    code = "forbidden"
    status = 403
    next_action = "Open Pilothouse under the address the server printed, or add this one to ALLOWED_HOSTS."


class NotFound(PilothouseError):
    code = "not_found"
    status = 404
    next_action = "Go back to the list; it may have been cancelled or deleted."


class Conflict(PilothouseError):
    code = "conflict"
    status = 409
    next_action = "Look at the present state, then decide again."


class IllegalTransition(Conflict):
    code = "illegal_transition"


class AlreadyDone(Conflict):
    code = "already_done"
    next_action = "Look at the present state; there is nothing to send again."


class WorkspaceBusy(Conflict):
    code = "workspace_busy"
    next_action = "Finish, roll back or cancel what holds the workspace, or wait for it."


class ResumeUnavailable(Conflict):
    code = "resume_unavailable"
    next_action = "Use “Rollback & replay” instead."


class CommitRefused(Conflict):
    code = "commit_refused"
    next_action = "Read git's message, set right what it names, then commit again."


class ProposalRefused(Conflict):
    code = "proposal_refused"
    next_action = "Set right the named files, or discard the proposal and send the message again."


class MergeNeeded(Conflict):
    code = "merge_needed"
    next_action = "Look at the merge, then apply again with its name to confirm it."


class RunnerBusy(Conflict):
    code = "runner_busy"
    next_action = "Wait until it has ended, or cancel it."


class NothingToBuild(Conflict):
    code = "nothing_to_build"
    next_action = "Name a command: a check called “build”, or PILOTHOUSE_BUILD_COMMAND for Pilothouse itself."


class NoCredentials(Conflict):
    code = "credentials"
    next_action = "Give the agent its credentials, then send the message again."


class BadConfiguration(Conflict):
    code = "configuration"
    next_action = "Correct the named file, then send the message again."


class NoAgent(BadConfiguration):
    next_action = "Choose an agent beside the Send button, then send the message again."


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a file, at a place that an editor can jump to; lines and columns count from 1."""

    line: int
    column: int
    message: str
    suggestion: str = ""


class BadAgentYaml(BadConfiguration):
    def __init__(self, problems: Sequence[Problem]) -> None:
        first = problems[0]
        more = f" There are {len(problems)} problems in all." if len(problems) > 1 else ""
        hint = f" {first.suggestion}" if first.suggestion else ""
        super().__init__(
            f"agent.yaml, line {first.line}, column {first.column}: {first.message}{hint}{more}",
            {"file": "agent.yaml", "problems": [asdict(problem) for problem in problems]},
        )
        self.problems = list(problems)


class TooManyAttempts(PilothouseError):
    code = "too_many_attempts"
    status = 429
    next_action = "Wait a minute, then use the login link that the server printed."


class GitFailed(PilothouseError):
    code = "git_failed"
    next_action = "Read git's message, set the repository right, then try again."


class CheckpointFailed(PilothouseError):
    code = "checkpoint_failed"
    next_action = "Set right what the message names, then try again; nothing is lost."


class StorageDamaged(PilothouseError):
    code = "storage_damaged"
    status = 503
    next_action = "Run `pilothouse doctor`; it names the newest good backup."


class Unavailable(PilothouseError):
    code = "unavailable"
    status = 503
    next_action = "Start the runner, or try again when the server is back."


class ClientError(Exception):
    """Carries what to tell the person; the server's own errors come back as `Refused`."""

    next_action: str = ""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class NoServer(ClientError):
    next_action = "Start it with `pilothouse serve`, or say where it is with --url and --token."

    def __init__(self, message: str, sent: bool = False) -> None:
        """`sent`: the request may have reached it."""
        super().__init__(message)
        self.sent = sent


class Refused(ClientError):
    def __init__(self, status: int, code: str, message: str, next_action: str, details: Mapping[str, Any]) -> None:
        super().__init__(message)
        self.status, self.code, self.next_action = status, code, next_action
        self.details = dict(details)
