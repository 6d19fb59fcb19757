"""What each verb of a scenario does. `VERBS` maps the names; every function gets the scene and the step's value."""

from __future__ import annotations

import codecs
import json
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from pilothouse.agents.rehearsal.channel import Channel

_EDITS = ("write", "edit", "multiedit", "notebookedit")
_FLOOD_BATCH = 100
_IDENTITY = {"NAME": "Rehearsal", "EMAIL": "rehearsal@pilothouse.invalid"}


class NeedsPerson(Exception):
    """The scenario stops until the person has said something: the values of the final message."""

    def __init__(self, **end: Any) -> None:
        super().__init__(end)
        self.end = end


class TurnOver(Exception):
    """The scenario stops here and continues in the next turn."""


class Failed(Exception):
    """The scenario cannot go on."""


class Limited(Failed):
    """As where a provider takes no more for now; `seconds` until it does, where it says so."""

    def __init__(self, message: str, seconds: float | None) -> None:
        super().__init__(message)
        self.seconds = seconds


class Scene:
    def __init__(
        self,
        workspace: Path,
        channel: Channel,
        completed: Callable[[], None],
        hear: Callable[[str], None],
        tools: dict[str, str] | None = None,
        **may: Any,
    ) -> None:
        self.workspace = workspace.resolve()
        self.tools = tools
        """Where the workbench's tools are, and the token for them."""
        self.channel = channel
        self.completed = completed
        """Call it before a verb that does not come back, so that a resumed session continues after it."""
        self.hear = hear
        """What later steps then have as `{reply}`, and choose by with `when` and `unless`."""
        self._mode: str = may.get("permission_mode") or "edits"
        self._granted: list[str] = may.get("granted") or []

    def may(self, tool: str, grant: str) -> bool:
        edits = self._mode == "edits" and tool.casefold() in _EDITS
        return self._mode == "all" or edits or (grant or tool) in self._granted

    def inside(self, path: str, *, follow: bool = True) -> Path:
        """`path` in the workspace. With `follow`, what a link at its end points to must be inside as well."""
        whole = self.workspace / path
        resolved = whole.resolve() if follow else whole.parent.resolve() / whole.name
        if Path(path).is_absolute() or ".." in Path(path).parts or not resolved.is_relative_to(self.workspace):
            raise Failed(f"“{path}” leads out of the workspace; nothing outside it is touched.")
        if resolved == self.workspace:
            raise Failed(f"“{path}” is the workspace itself, not a file in it.")
        return resolved

    def note(self, name: str, detail: str) -> None:
        """A file operation that just happened, for people and for the step log."""
        self.channel.tool_finished(self.channel.tool(name, detail), ok=True)
        self.channel.text(f"{name} {detail}\n")

    def command(self, name: str, argv: list[str], detail: str, env: dict[str, str] | None = None) -> int:
        """Run a real program in the workspace and show what it prints while it prints it."""
        process = subprocess.Popen(
            argv,
            cwd=self.workspace,
            env={**os.environ, **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        tool_id = self.channel.tool(name, detail, process.pid)
        self.channel.text(f"$ {detail}\n")
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        assert process.stdout is not None  # noqa: S101 - asked for with PIPE
        with process.stdout as pipe:
            for data in _pieces(process, pipe.fileno()):
                text = decoder.decode(data)
                if text:
                    self.channel.tool_output(tool_id, text)
        code = process.wait()
        if code:
            self.channel.text(f"exit code {code}\n")
        self.channel.tool_finished(tool_id, ok=code == 0, exit_code=code)
        return code

    def git(self, *arguments: str, env: dict[str, str] | None = None) -> None:
        if self.command("git", ["git", *arguments], " ".join(["git", *arguments]), env):
            raise Failed(f"git {arguments[0]} did not work; its words are in the output.")

    def git_says_yes(self, *arguments: str) -> bool:
        argv = ["git", *arguments]
        return subprocess.run(argv, cwd=self.workspace, capture_output=True, check=False).returncode == 0


def _pieces(process: subprocess.Popen[bytes], pipe: int) -> Any:
    """Output until the pipe closes, or the command is over and only something it left behind holds the pipe."""
    while True:
        readable, _, _ = select.select([pipe], [], [], 0.1)
        if readable:
            data = os.read(pipe, 65536)
            if not data:
                return
            yield data
        elif process.poll() is not None:
            return


def say(scene: Scene, text: str) -> None:
    scene.channel.say(text if text.endswith("\n") else text + "\n")


def stream(scene: Scene, value: dict[str, Any]) -> None:
    text, chunk = value["text"], max(1, value.get("chunk", 16))
    text = text if text.endswith("\n") else text + "\n"
    for start in range(0, len(text), chunk):
        scene.channel.say(text[start : start + chunk])
        time.sleep(value.get("delay_ms", 20) / 1000)


def write(scene: Scene, value: dict[str, str]) -> None:
    path = scene.inside(value["path"])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(value["text"].encode())
    scene.note("write", value["path"])


def edit(scene: Scene, value: dict[str, str]) -> None:
    path = scene.inside(value["path"])
    before, find = path.read_bytes(), value["find"].encode()
    if find not in before:
        raise Failed(f"{value['path']} does not contain the text to replace.")
    path.write_bytes(before.replace(find, value["replace"].encode(), 1))
    scene.note("edit", value["path"])


def delete(scene: Scene, value: dict[str, str]) -> None:
    path = scene.inside(value["path"], follow=False)
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()
    scene.note("delete", value["path"])


def move(scene: Scene, value: dict[str, str]) -> None:
    source, target = scene.inside(value["from"], follow=False), scene.inside(value["to"], follow=False)
    target.parent.mkdir(parents=True, exist_ok=True)
    source.rename(target)
    scene.note("move", f"{value['from']} to {value['to']}")


def chmod(scene: Scene, value: dict[str, Any]) -> None:
    scene.inside(value["path"]).chmod(value["mode"])
    scene.note("chmod", f"{value['mode']:04o} {value['path']}")


def symlink(scene: Scene, value: dict[str, str]) -> None:
    path = scene.inside(value["path"], follow=False)
    target = value["target"]
    if Path(target).is_absolute() or not (path.parent / target).resolve().is_relative_to(scene.workspace):
        raise Failed(f"The link target “{target}” leads out of the workspace.")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)
    scene.note("symlink", f"{value['path']} to {target}")


def run(scene: Scene, command: str) -> None:
    # A machine may have python3 alone; our own directory comes last and only fills that gap.
    path = os.environ.get("PATH", os.defpath) + os.pathsep + str(Path(sys.executable).parent)
    scene.command("run", ["/bin/sh", "-c", command], command, {"PATH": path})


def commit(scene: Scene, message: str) -> None:
    scene.git("add", "--all")
    if scene.git_says_yes("diff", "--cached", "--quiet"):
        scene.channel.text("Nothing to commit.\n")
        return
    known = scene.git_says_yes("config", "user.email") or "GIT_AUTHOR_EMAIL" in os.environ
    identity = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in _IDENTITY.items()}
    # A signature would ask for a passphrase that nobody is there to type.
    scene.git("-c", "commit.gpgsign=false", "commit", "--quiet", "-m", message, env={} if known else identity)


def checkout(scene: Scene, branch: str) -> None:
    if not scene.git_says_yes("check-ref-format", "--branch", branch):
        raise Failed(f"“{branch}” is not a branch name.")
    exists = scene.git_says_yes("show-ref", "--verify", "--quiet", f"refs/heads/{branch}")
    scene.git("checkout", "--quiet", *([] if exists else ["-b"]), branch)


def ask(scene: Scene, question: str) -> NoReturn:
    scene.channel.text(question if question.endswith("\n") else question + "\n")
    raise NeedsPerson(outcome="asked", text=question, question=question)


def form(scene: Scene, questions: list[dict[str, Any]]) -> NoReturn:
    text = "\n".join(question["question"] for question in questions)
    scene.channel.text(text + "\n")
    raise NeedsPerson(outcome="asked", text=text, questions=questions)


def plan(scene: Scene, markdown: str) -> NoReturn:
    scene.channel.text(markdown if markdown.endswith("\n") else markdown + "\n")
    raise NeedsPerson(outcome="asked", text=markdown, plan=markdown)


def permission(scene: Scene, value: dict[str, str]) -> None:
    """Go on where the tool is allowed already, else stop and ask."""
    tool, detail, grant = value["tool"], value["detail"], value.get("grant", "")
    if scene.may(tool, grant):
        scene.hear("allowed")
        return
    scene.channel.text(f"May I use {tool}? {detail}\n")
    wanted = {"tool": tool, "detail": detail, "grant": grant or tool}
    raise NeedsPerson(outcome="permission", text=f"May I use {tool}? {detail}", permission=wanted)


def workbench(scene: Scene, value: dict[str, str]) -> None:
    """Use one of the workbench's tools, with its arguments as JSON; what ends an agent's turn ends this one."""
    if scene.tools is None:
        scene.channel.text(f"{value['tool']}: there is no workbench here\n")
        return
    from urllib.request import ProxyHandler, Request, build_opener

    try:
        call = {"name": value["tool"], "arguments": json.loads(value["arguments"])}
    except ValueError as error:
        raise Failed(f"The arguments of {value['tool']} are not JSON: {error}.") from None
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}).encode()
    headers = {"Authorization": f"Bearer {scene.tools['token']}", "Content-Type": "application/json"}
    request = Request(scene.tools["url"], body, headers)  # noqa: S310 - our own server
    tool_id = scene.channel.tool("workbench", value["tool"])
    try:
        with build_opener(ProxyHandler({})).open(request, timeout=30) as answer:
            result = json.load(answer)["result"]
    except OSError as error:
        raise Failed(f"The workbench did not answer: {error}.") from None
    scene.channel.tool_finished(tool_id, ok=not result["isError"])
    scene.channel.text(f"{value['tool']}: {result['content'][0]['text']}\n")
    if value["tool"] in ("decide", "blocked", "answer") and not result["isError"]:
        raise TurnOver


def answer(scene: Scene, value: dict[str, Any]) -> None:
    """By the workbench's tool, else between the markers that stand for it."""
    if scene.tools is None:
        say(scene, f"[ANSWER]\n{json.dumps(value, indent=2)}\n[/ANSWER]")
    else:
        workbench(scene, {"tool": "answer", "arguments": json.dumps({"answer": value})})


def answer_text(scene: Scene, text: str) -> None:
    """As it stands, so that what an agent gets wrong can be said too."""
    scene.channel.say(text)


def wait(scene: Scene, seconds: float) -> None:
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        time.sleep(min(left, 1.0, seconds / 5))
        scene.channel.heartbeat()


def heartbeat(scene: Scene, _: bool) -> None:
    scene.channel.heartbeat()


def stall(scene: Scene, _: bool) -> NoReturn:
    while True:
        signal.pause()


def flood(scene: Scene, value: dict[str, int]) -> None:
    lines = value["lines"]
    for start in range(1, lines + 1, _FLOOD_BATCH):
        numbers = range(start, min(start + _FLOOD_BATCH, lines + 1))
        scene.channel.text("".join(f"line {number} of {lines}\n" for number in numbers))


def fail(scene: Scene, message: str) -> NoReturn:
    scene.completed()
    raise Failed(message)


def limit(scene: Scene, value: dict[str, Any]) -> NoReturn:
    scene.completed()
    raise Limited(value["text"], value["minutes"] * 60 if "minutes" in value else None)


def crash(scene: Scene, how: int) -> NoReturn:
    """An exit code, or a signal as a negative number."""
    scene.completed()
    if how >= 0:
        os._exit(how)
    # A core file would be a change to the workspace that no scenario asked for.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if -how not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(-how, signal.SIG_DFL)
    os.kill(os.getpid(), -how)
    os._exit(128 - how)


def spawn_child(scene: Scene, value: dict[str, Any]) -> None:
    """Leave a process behind that somebody else has to clean up."""
    argv, how = ["sleep", str(value["seconds"])], value["how"]
    if how in ("double_fork", "clean_env"):
        pid = _forked_twice(argv, {} if how == "clean_env" else dict(os.environ))
    else:
        before = ["nohup"] if how == "nohup" else []
        pid = subprocess.Popen([*before, *argv], start_new_session=how == "setsid", stdin=subprocess.DEVNULL).pid
    scene.channel.text(f"left a child behind ({how}): process {pid}\n")


def usage(scene: Scene, value: dict[str, Any]) -> None:
    """What an agent with a provider behind it would have used."""
    scene.channel.send("usage", **value)


def context(scene: Scene, value: dict[str, int]) -> None:
    scene.channel.send("context", **value)


def _forked_twice(argv: list[str], env: dict[str, str]) -> int:
    """A daemon of the classic kind: in a session of its own, its parent gone."""
    program = shutil.which(argv[0]) or argv[0]
    reader, writer = os.pipe()
    if (child := os.fork()) == 0:
        os.setsid()
        if (daemon := os.fork()) == 0:
            os.execve(program, argv, env)  # noqa: S606 - the stray must be the program itself
        os.write(writer, str(daemon).encode())
        os._exit(0)
    os.close(writer)
    os.waitpid(child, 0)
    with os.fdopen(reader) as pipe:
        return int(pipe.read())


VERBS: dict[str, Callable[[Scene, Any], None]] = {
    verb.__name__: verb
    for verb in (
        *(say, stream, write, edit, delete, move, chmod, symlink, run, commit, checkout, ask, wait, heartbeat),
        *(form, plan, permission),
        *(stall, flood, fail, limit, crash, spawn_child, workbench, answer, answer_text, usage, context),
    )
}
CHANGING = frozenset(
    ("write", "edit", "delete", "move", "chmod", "symlink", "run", "commit", "checkout", "spawn_child")
)
"""What is refused where the agent may only look."""
