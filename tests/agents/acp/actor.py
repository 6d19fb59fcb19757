"""A small ACP agent that does what its prompt says. Standalone, and without the SDK: it must also break the rules.

    python actor.py STATE_DIR [resume] [load] [http] [models] [modes] [login=VARIABLE] [locked] [version=N] [mute]
                    [slow=FILE]

The first line of the prompt that is a JSON list of lists is played; each of its items is a verb and its arguments.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
import uuid
from pathlib import Path
from typing import Any

OPTIONS = [
    {"optionId": "x1", "name": "Bypass", "kind": "allow_always"},
    {"optionId": "x2", "name": "Never", "kind": "reject_always"},
    {"optionId": "x3", "name": "No", "kind": "reject_once"},
    {"optionId": "x4", "name": "Yes", "kind": "allow_once"},
]


class Failed(Exception):
    def __init__(self, code: int, message: str, data: object = None) -> None:
        super().__init__(message)
        self.error = {"code": code, "message": message, "data": data}


class Actor:
    def __init__(self, state: Path, traits: list[str]) -> None:
        self.state = state
        self.traits = traits
        self.messages: queue.Queue[dict[str, Any]] = queue.Queue()
        self.waiting: list[dict[str, Any]] = []
        self.next_id = 1000
        self.session = ""
        self.prompt = ""
        self.servers: list[object] = []
        self.meta: object = None
        self.mode = ""
        self.model = "small"
        self.stop: object = "end_turn"
        self.usage: object = None
        self.cancelled = False
        self.over = threading.Event()
        self.logged_in = not self.trait("login")
        threading.Thread(target=self.read, daemon=True).start()

    def trait(self, name: str) -> str:
        return next((trait.partition("=")[2] or name for trait in self.traits if trait.partition("=")[0] == name), "")

    def read(self) -> None:
        for line in sys.stdin:
            self.messages.put(json.loads(line))
        self.messages.put({"end": True})

    def send(self, **message: object) -> None:
        self.raw(json.dumps({"jsonrpc": "2.0", **message}))

    def raw(self, line: str) -> None:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()

    def run(self) -> None:
        while True:
            message = self.waiting.pop(0) if self.waiting else self.messages.get()
            if message.get("end"):
                return
            if message.get("id") == "late":
                sys.stderr.write("late answer\n")
                sys.stderr.flush()
            if "id" not in message or "method" not in message:
                continue
            try:
                name = message["method"].replace("/", "_")
                result = getattr(self, name)(message.get("params") or {})
            except Failed as failed:
                self.send(id=message["id"], error=failed.error)
            else:
                self.send(id=message["id"], result=result)
                if message["method"] == "session/prompt":
                    self.over.set()

    def take(self) -> dict[str, Any]:
        message = self.messages.get()
        if message.get("end"):
            os._exit(0)
        if message.get("method") == "session/cancel":
            self.cancelled = True
        return message

    def ask(self, method: str, **parameters: object) -> dict[str, Any]:
        """The answer's `result` or `error`."""
        self.next_id += 1
        mine = self.next_id
        self.send(id=mine, method=method, params={"sessionId": self.session, **parameters})
        while True:
            message = self.take()
            if message.get("id") == mine and "method" not in message:
                return message
            if "method" in message and "id" in message:
                self.waiting.append(message)

    def update(self, sort: str, **rest: object) -> None:
        parameters = {"sessionId": self.session, "update": {"sessionUpdate": sort, **rest}}
        self.send(method="session/update", params=parameters)

    def initialize(self, parameters: dict[str, Any]) -> object:
        if self.trait("mute"):
            threading.Event().wait()
        if self.trait("slow"):
            self.wait(self.trait("slow"))
        return {
            "protocolVersion": int(self.trait("version") or 1),
            "agentCapabilities": {
                "loadSession": bool(self.trait("load")),
                "mcpCapabilities": {"http": bool(self.trait("http"))},
                "sessionCapabilities": {"resume": {}} if self.trait("resume") else {},
            },
            "authMethods": [{"id": "browser", "name": "Browser"}, {"id": "key", "name": "Key"}],
        }

    def authenticate(self, parameters: dict[str, Any]) -> object:
        self.logged_in = parameters["methodId"] == "key" and bool(os.environ.get(self.trait("login")))
        return {}

    def session_new(self, parameters: dict[str, Any]) -> object:
        if not self.logged_in:
            raise Failed(-32000, "Authentication required")
        self.session = uuid.uuid4().hex
        self.servers, self.meta = parameters["mcpServers"], parameters.get("_meta")
        self.keep("")
        return {"sessionId": self.session, **self.offers()}

    def session_load(self, parameters: dict[str, Any]) -> object:
        self.session_resume(parameters)
        self.say("replayed: " + (self.state / self.session).read_text())
        self.tool("old", "read", "Replayed")
        self.update("usage_update", used=1, size=10, cost={"amount": 7.0, "currency": "USD"})
        return self.offers()

    def session_resume(self, parameters: dict[str, Any]) -> object:
        if not (self.state / parameters["sessionId"]).is_file():
            raise Failed(-32002, "Resource not found", {"uri": parameters["sessionId"]})
        self.session, self.meta = parameters["sessionId"], parameters.get("_meta")
        return self.offers()

    def offers(self) -> dict[str, object]:
        models = [{"value": name, "name": name.title()} for name in ("small", "large")]
        option = {"type": "select", "id": "m", "name": "Model", "category": "model", "currentValue": self.model}
        modes = [{"id": name, "name": name} for name in ("careful", "bold")]
        return {
            **({"configOptions": [{**option, "options": models}]} if self.trait("models") else {}),
            **({"modes": {"currentModeId": "bold", "availableModes": modes}} if self.trait("modes") else {}),
        }

    def session_set_config_option(self, parameters: dict[str, Any]) -> object:
        self.model = parameters["value"]
        return {"configOptions": self.offers()["configOptions"]}

    def session_set_mode(self, parameters: dict[str, Any]) -> object:
        self.mode = parameters["modeId"]
        return {}

    def session_prompt(self, parameters: dict[str, Any]) -> object:
        if self.trait("locked"):
            raise Failed(-32000, "Authentication required")
        self.prompt = "".join(block.get("text", "") for block in parameters["prompt"])
        self.stop, self.usage, self.cancelled = "end_turn", None, False
        self.keep(self.prompt)
        for verb, *arguments in script(self.prompt):
            getattr(self, verb)(*arguments)
            if self.cancelled:
                self.stop = "cancelled"
                break
        return {"stopReason": self.stop, **({"usage": self.usage} if self.usage else {})}

    def keep(self, text: str) -> None:
        self.state.mkdir(parents=True, exist_ok=True)
        with (self.state / self.session).open("a") as file:
            file.write(text + "\n")

    def say(self, text: str) -> None:
        self.update("agent_message_chunk", content={"type": "text", "text": text})

    def think(self, text: str) -> None:
        self.update("agent_thought_chunk", content={"type": "text", "text": text})

    def echo(self) -> None:
        self.say(self.prompt)

    def tell(self, what: str) -> None:
        self.say(json.dumps(getattr(self, what)))

    def env(self, name: str) -> None:
        self.say(f"{name}={os.environ.get(name)}")

    def update_plan(self, entries: list[object]) -> None:
        self.update("plan", entries=entries)

    def cost(self, amount: float, currency: str) -> None:
        self.update("usage_update", used=5, size=100, cost={"amount": amount, "currency": currency})

    def shout(self, size: int) -> None:
        sys.stderr.write("x" * size)
        sys.stderr.flush()

    def flood(self, count: int) -> None:
        for number in range(count):
            self.say(f"{number}\n")

    def tool(self, name: str, kind: str, title: str, status: str = "pending", **rest: object) -> None:
        self.update("tool_call", toolCallId=name, kind=kind, title=title, status=status, **rest)

    def touched(self, name: str, kind: str, title: str, paths: list[str], status: str = "pending") -> None:
        self.tool(name, kind, title, status, locations=[{"path": path} for path in paths])

    def progress(self, name: str, status: str, text: str = "", output: object = None) -> None:
        content = [{"type": "content", "content": {"type": "text", "text": text}}] if text else []
        self.update("tool_call_update", toolCallId=name, status=status, content=content, rawOutput=output)

    def permission(self, name: str, kind: str | None = None, title: str | None = None, **more: object) -> None:
        call = {"toolCallId": name, "kind": kind, "title": title, **more}
        call = {key: value for key, value in call.items() if value is not None}
        answer = self.ask("session/request_permission", toolCall=call, options=OPTIONS)
        outcome = answer["result"]["outcome"]
        self.say(f"[{name}: {outcome.get('optionId') or outcome['outcome']}]")

    def may(self, name: str, kind: str, title: str, more: dict[str, object]) -> None:
        self.permission(name, kind, title, **more)

    def both(self, *commands: str) -> None:
        """Several permissions before the first is answered."""
        for number, command in enumerate(commands):
            call = {"toolCallId": f"b{number}", "kind": "execute", "title": "x", "rawInput": {"command": command}}
            parameters = {"sessionId": self.session, "toolCall": call, "options": OPTIONS}
            self.send(id=f"both-{number}", method="session/request_permission", params=parameters)
        waiting = {f"both-{number}" for number in range(len(commands))}
        while waiting and not self.cancelled:
            waiting.discard(self.take().get("id"))
        self.say("both answered")

    def elicit(self, message: str, properties: dict[str, object]) -> None:
        schema = {"type": "object", "properties": properties}
        answer = self.ask("elicitation/create", mode="form", message=message, requestedSchema=schema)
        self.say(json.dumps(answer.get("result") or answer.get("error")))

    def browse(self, url: str) -> None:
        answer = self.ask("elicitation/create", mode="url", message="Log in", url=url, elicitationId="e1")
        self.say(json.dumps(answer.get("result") or answer.get("error")))

    def readfile(self, path: str, *place: int) -> None:
        given = dict(zip(("line", "limit"), place, strict=False))
        answer = self.ask("fs/read_text_file", path=path, **given)
        self.say(json.dumps(answer.get("result") or answer["error"]["data"]))

    def writefile(self, path: str, content: str) -> None:
        answer = self.ask("fs/write_text_file", path=path, content=content)
        self.say("written" if "result" in answer else json.dumps(answer["error"]["data"]))

    def terminal(self, command: str, *arguments: str) -> None:
        env = [{"name": name, "value": "given"} for name in ("ACTOR_WORD", "PILOTHOUSE_DATA")]
        answer = self.ask("terminal/create", command=command, args=list(arguments), outputByteLimit=200, env=env)
        if "error" in answer:
            self.say(json.dumps(answer["error"]["data"]))
            return
        name = answer["result"]["terminalId"]
        code = self.ask("terminal/wait_for_exit", terminalId=name)["result"]
        output = self.ask("terminal/output", terminalId=name)["result"]
        self.ask("terminal/release", terminalId=name)
        self.say(json.dumps({"code": code["exitCode"], **output}))

    def background(self, command: str, *arguments: str) -> None:
        """A terminal that is left running."""
        self.ask("terminal/create", command=command, args=list(arguments))

    def killed(self, command: str, *arguments: str) -> None:
        name = self.ask("terminal/create", command=command, args=list(arguments))["result"]["terminalId"]
        self.ask("terminal/kill", terminalId=name)
        self.say(json.dumps(self.ask("terminal/output", terminalId=name)["result"]))

    def child(self) -> None:
        """As real agents do: in a process group of its own."""
        process = subprocess.Popen(["sleep", "600"], start_new_session=True, stdout=subprocess.DEVNULL)
        self.say(f"child {process.pid}\n")

    def wait(self, path: str) -> None:
        """Until somebody has made the file."""
        while not Path(path).exists():
            time.sleep(0.01)

    def finish(self, reason: object) -> None:
        self.stop = reason

    def used(self, usage: object) -> None:
        self.usage = usage

    def afterwards(self, path: str) -> None:
        """Go on when the turn is over, as agents with background work do."""

        def write() -> None:
            self.over.wait()
            parameters = {"sessionId": self.session, "path": path, "content": "late"}
            self.say("late")
            self.send(id="late", method="fs/write_text_file", params=parameters)

        threading.Thread(target=write, daemon=True).start()

    def fail(self, code: int, message: str) -> None:
        raise Failed(code, message)

    def crash(self, code: int) -> None:
        sys.stderr.write("the actor fell off the stage\n")
        sys.stderr.flush()
        os._exit(code)

    def close(self) -> None:
        """Silent for ever, without a standard output."""
        os.close(1)
        threading.Event().wait()

    def hang(self) -> None:
        """Deaf as well."""
        threading.Event().wait()

    def until_cancelled(self) -> None:
        while not self.cancelled:
            self.take()


def script(prompt: str) -> list[list[Any]]:
    for line in prompt.splitlines():
        if line.startswith("[["):
            return list(json.loads(line))
    return [["echo"]]


if __name__ == "__main__":
    Actor(Path(sys.argv[1]), sys.argv[2:]).run()
