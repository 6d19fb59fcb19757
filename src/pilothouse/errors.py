"""Every error Pilothouse raises on purpose.

PilothouseError
├── InvalidInput            400  a field is missing, malformed or refused
│   └── TooLarge            413  a body or a field is over its limit
├── NotLoggedIn             401  no cookie or bearer token, or a wrong one
├── Forbidden               403  Host or Origin is not ours
│   └── FromAgent           403  an agent asks for what a person decides
├── NotFound                404  no such project, session, task
├── Conflict                409  the thing is not in a state that allows this
│   ├── IllegalTransition   409  a move the transition table does not have
│   ├── AlreadyDone         409  a repeated request whose first answer was lost in a crash
│   ├── WorkspaceBusy       409  another task or session holds the workspace
│   ├── ResumeUnavailable   409  a saved part that soft resume needs is missing
│   ├── CommitRefused       409  git, or a hook of the person's, refused a commit; carries its own words
│   ├── ProgramsNotAccepted 409  a commit would run programs of the repository that the person did not accept
│   ├── RestoreIncomplete   409  files of a checkpoint could not be brought back; names them. The rest is back
│   ├── ProposalRefused     409  a dry run's proposal cannot be applied; names the files and why
│   ├── RollbackRefused     409  others changed the same files since; names them and why
│   ├── MergeNeeded         409  the tree moved since; carries what would be changed, to confirm
│   ├── RunnerBusy          409  another operation on the runner is under way
│   ├── NothingToBuild      409  no sources, or no command that builds them
│   ├── NoCredentials       409  the agent cannot log in to its provider
│   └── BadConfiguration    409  a configuration file cannot be used
│       ├── NoAgent         409  no agent is chosen, and none is ready
│       └── BadAgentYaml    409  agent.yaml, with every problem's line and column
├── TooManyAttempts         429  login is throttled
├── GitFailed               500  git refused; carries its own words
│   └── GitStuck            500  git did not end: a file of the tree keeps it waiting, or its time was up
├── CheckpointFailed        500  a checkpoint could not be taken or restored
├── WorkflowFailed          500  what comes next in a session could not be decided
├── StorageDamaged          503  the database cannot be read
├── StorageFull             503  the database has no room; passes by itself
├── StorageAway             503  the database cannot be reached; passes by itself
└── Unavailable             503  the runner is stopped or the server is going down
    └── Recovering          503  what an earlier run left is still being looked at

`code` is what HTTP answers call `error`; `next_action` is the one documented thing to do. What happened is said by a
code of the catalogue: `raise NotFound(say("task.unknown"))`.

ClientError                      what a command that speaks to a server meets
├── NoServer                     none is running, or it does not answer
└── Refused                      it answered with one of the errors above
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from pilothouse.words import Said, say, sentences


class PilothouseError(Exception):
    code: ClassVar[str] = "internal"
    status: ClassVar[int] = 500
    advice: ClassVar[str] = ""
    """Where the code alone does not say what to do."""

    def __init__(self, message: str, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.details = dict(details) if details else None

    @property
    def next_action(self) -> str:
        return say(f"next_action.{self.advice or self.code}")


def message_of(error: BaseException) -> str:
    """What to tell a person of it, in our own words where it is one of ours."""
    said = error.args[0] if error.args else ""
    return said if isinstance(said, Said) else str(error)


class InvalidInput(PilothouseError):
    code = "invalid_input"
    status = 400

    def __init__(self, message: str, field: str | None = None, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(message, {**(details or {}), **({"field": field} if field else {})})


class TooLarge(InvalidInput):
    code = "too_large"
    status = 413


class NotLoggedIn(PilothouseError):
    code = "not_logged_in"
    status = 401


class Forbidden(PilothouseError):
    code = "forbidden"
    status = 403


class FromAgent(Forbidden):
    code = "from_agent"


class NotFound(PilothouseError):
    code = "not_found"
    status = 404


class Conflict(PilothouseError):
    code = "conflict"
    status = 409


class IllegalTransition(Conflict):
    code = "illegal_transition"
    advice = "conflict"


class AlreadyDone(Conflict):
    code = "already_done"


class WorkspaceBusy(Conflict):
    code = "workspace_busy"


class ResumeUnavailable(Conflict):
    code = "resume_unavailable"


class CommitRefused(Conflict):
    code = "commit_refused"


class ProgramsNotAccepted(Conflict):
    code = "programs_not_accepted"


class RestoreIncomplete(Conflict):
    code = "restore_incomplete"


class ProposalRefused(Conflict):
    code = "proposal_refused"


class RollbackRefused(Conflict):
    code = "rollback_refused"


class MergeNeeded(Conflict):
    code = "merge_needed"


class RunnerBusy(Conflict):
    code = "runner_busy"


class NothingToBuild(Conflict):
    code = "nothing_to_build"


class NoCredentials(Conflict):
    code = "credentials"


class BadConfiguration(Conflict):
    code = "configuration"


class NoAgent(BadConfiguration):
    advice = "no_agent"


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
        where = say("agent_yaml.problem", line=str(first.line), column=str(first.column), problem=first.message)
        more = say("agent_yaml.problems", count=len(problems)) if len(problems) > 1 else ""
        super().__init__(
            sentences(where, first.suggestion, more),
            {"file": "agent.yaml", "problems": [asdict(problem) for problem in problems]},
        )
        self.problems = list(problems)


class TooManyAttempts(PilothouseError):
    code = "too_many_attempts"
    status = 429


class GitFailed(PilothouseError):
    code = "git_failed"


class GitStuck(GitFailed):
    """To ask again would only hang again."""


class CheckpointFailed(PilothouseError):
    code = "checkpoint_failed"


class WorkflowFailed(PilothouseError):
    code = "workflow_failed"


class StorageDamaged(PilothouseError):
    code = "storage_damaged"
    status = 503


class StorageFull(PilothouseError):
    code = "storage_full"
    status = 503


class StorageAway(PilothouseError):
    code = "storage_away"
    status = 503


class Unavailable(PilothouseError):
    code = "unavailable"
    status = 503


class Recovering(Unavailable):
    code = "recovering"


class ClientError(Exception):
    """Carries what to tell the person; the server's own errors come back as `Refused`."""

    def __init__(self, message: str, next_action: str = "") -> None:
        super().__init__(message)
        self.message, self.next_action = message, next_action


class NoServer(ClientError):
    def __init__(self, message: str, sent: bool = False) -> None:
        """`sent`: the request may have reached it."""
        super().__init__(message, say("next_action.no_server"))
        self.sent = sent


class Refused(ClientError):
    def __init__(self, status: int, code: str, message: str, next_action: str, details: Mapping[str, Any]) -> None:
        super().__init__(message, next_action)
        self.status, self.code = status, code
        self.details = dict(details)
