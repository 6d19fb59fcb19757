"""Runs one program and leaves nothing of it behind. Standalone: started by path, never imported by the server.

    python -I -S keeper.py SERVER_PID GRACE MODE -- program argument...

The keeper adopts every descendant of the program (`PR_SET_CHILD_SUBREAPER`), so leaving the process group, forking
twice or clearing the environment does not get a process away from it. It ends all of them when the program ends,
when the server ends (seen through a pidfd, so kill -9 counts too), or when it is told to:

- SIGTERM, SIGINT, SIGHUP: SIGTERM to every descendant, GRACE seconds, then SIGKILL until none is left.
- SIGUSR1: SIGKILL at once.

Its exit code is the program's; 128 + n when a signal ended that. 127 and 126: the program could not be started.

MODE is `adopt`, `confined` (the program is bubblewrap; its two own processes are spared the SIGTERM, because their
death would end the rest without grace), or `poll` for systems without subreapers such as macOS: there the
descendants are noted twice a second and a process that forks twice within that time gets away, a stated limit.

Every spawn pays for this start-up, hence the few imports: `_signal` is `signal` without its enums (6 ms).
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]
import os
import select
import sys
from time import monotonic, sleep

SPAWN_FAILED, NOT_FOUND = 126, 127
LEFTOVER_GRACE = 0.5
"""How long what a program left behind may take over SIGTERM after the program itself has ended."""
SWEEP_LIMIT = 10.0
"""A process that survives SIGKILL this long cannot be ended by us: another user's, or stuck in the kernel."""
POLL_SECONDS = 0.5
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
ASKING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
HEARD = (*ASKING, signal.SIGUSR1, signal.SIGCHLD)


def prctl(option: int, value: int) -> None:
    import ctypes

    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def proc_table() -> dict[int, tuple[int, str, str]]:
    """pid -> (parent, state, start time) of every process."""
    table = {}
    for name in os.listdir("/proc"):  # noqa: PTH208 - pathlib costs 8 ms of start-up
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123
                    fields = file.read().rpartition(b")")[2].split()
                table[int(name)] = (int(fields[1]), fields[0].decode(), fields[19].decode())
            except (OSError, IndexError, ValueError):
                continue
    return table


def ps_table() -> dict[int, tuple[int, str, str]]:
    import subprocess

    table = {}
    ps = subprocess.Popen(["ps", "-A", "-o", "pid=,ppid=,stat=,lstart="], stdout=subprocess.PIPE, text=True)
    for line in ps.communicate()[0].splitlines():
        fields = line.split(None, 3)
        if len(fields) == 4:
            table[int(fields[0])] = (int(fields[1]), fields[2][:1], fields[3])
    table.pop(ps.pid, None)
    return table


class Keeper:
    def __init__(self, server: int, grace: float, mode: str) -> None:
        self.server = server
        self.grace = grace
        self.spared = 2 if mode == "confined" else 0
        self.adopts = mode != "poll"
        self.agent = 0
        self.status: int | None = None
        self.childless = False
        self.asked = False
        self.hurried = False
        self.known: dict[int, str] = {}
        self.poll = select.poll()
        self.tick: float | None = None if self.adopts else POLL_SECONDS
        self.server_fd = -1

    def start(self, argv: list[str]) -> None:
        if self.adopts:
            prctl(PR_SET_CHILD_SUBREAPER, 1)
        self._watch_server()
        self._listen()
        keeper = os.getpid()
        # What reaches the child before it is the program must end it: our handlers there would only swallow it.
        signal.pthread_sigmask(signal.SIG_BLOCK, HEARD)
        if self.asked:
            raise SystemExit(128 + signal.SIGTERM)
        self.agent = os.fork()
        if self.agent == 0:
            self._become(argv, keeper)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, HEARD)
        # The pipes belong to the program alone: their end must be seen when it, not the keeper, is gone.
        null = os.open("/dev/null", os.O_RDWR)
        os.dup2(null, 0)
        os.dup2(null, 1)
        os.close(null)
        os.chdir("/")

    def _watch_server(self) -> None:
        try:
            self.server_fd = os.pidfd_open(self.server)
            self.poll.register(self.server_fd, select.POLLIN)
        except (AttributeError, OSError):
            self.tick = POLL_SECONDS
        if self.server_gone():
            raise SystemExit(1)

    def _listen(self) -> None:
        reader, writer = os.pipe()
        os.set_blocking(reader, False)
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer)
        self.wakeups = reader
        self.poll.register(reader, select.POLLIN)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGUSR1, self._hurry)
        for number in ASKING:
            signal.signal(number, self._ask)
        # A mask is inherited, and so is what it holds back.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, HEARD)

    def _ask(self, *_: object) -> None:
        self.asked = True

    def _hurry(self, *_: object) -> None:
        self.asked = self.hurried = True

    def _become(self, argv: list[str], keeper: int) -> None:
        try:
            os.setsid()
            if self.adopts:
                prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
                if os.getppid() != keeper:
                    os._exit(SPAWN_FAILED)
            signal.set_wakeup_fd(-1)
            for ours_or_ignored_by_python in (*HEARD, signal.SIGPIPE, signal.SIGXFSZ):
                signal.signal(ours_or_ignored_by_python, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_SETMASK, ())
            os.execvp(argv[0], argv)  # noqa: S606 - starting the program is what this file is for
        except OSError as error:
            os.write(2, f"{argv[0]}: {error.strerror}\n".encode())
            os._exit(NOT_FOUND if isinstance(error, FileNotFoundError) else SPAWN_FAILED)
        finally:
            os._exit(SPAWN_FAILED)

    def server_gone(self) -> bool:
        """The keeper is the server's child, so another parent means that the server is gone."""
        return os.getppid() != self.server

    def wait(self, until: float | None = None) -> None:
        """Sleep until something happens, then take note of every child that ended."""
        limits = [limit for limit in (self.tick, None if until is None else until - monotonic()) if limit is not None]
        self.poll.poll(max(0.0, min(limits)) * 1000 if limits else None)
        try:
            while os.read(self.wakeups, 512):
                pass
        except BlockingIOError:
            pass
        self.reap()
        if not self.adopts:
            self.descendants()

    def reap(self) -> None:
        try:
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    self.childless = False
                    return
                if pid == self.agent:
                    self.status = status
        except ChildProcessError:
            # Orphans become our children, so having no child means having no descendant.
            self.childless = True

    def descendants(self) -> list[int]:
        """Every living process below, parents first."""
        table = proc_table() if self.adopts else ps_table()
        below: dict[int, list[int]] = {}
        for pid, (parent, _, _) in table.items():
            below.setdefault(parent, []).append(pid)
        self.known = {pid: start for pid, start in self.known.items() if pid in table and table[pid][2] == start}
        found = [os.getpid(), *self.known]
        seen = set(found)
        for pid in found:
            fresh = [child for child in below.get(pid, ()) if child not in seen]
            found += fresh
            seen.update(fresh)
        living = [pid for pid in found[1:] if table.get(pid, (0, "Z", ""))[1] != "Z"]
        if not self.adopts:
            self.known.update({pid: table[pid][2] for pid in living})
        return living

    def empty(self) -> bool:
        return self.childless if self.adopts else not self.descendants()

    def signal_all(self, *numbers: int) -> list[int]:
        targets = self.descendants()
        for number in numbers:
            for pid in targets:
                try:
                    os.kill(pid, number)
                except OSError:
                    continue
        return targets

    def ask_all(self, grace: float) -> None:
        """SIGTERM, and SIGCONT so that a stopped process hears it; returns when all went or the time is up."""
        until = monotonic() + grace
        asked = self.descendants()[self.spared :]
        if not asked:
            # Bubblewrap has not come to start the program: the time would be given to one that heard of nothing.
            return
        for pid in asked:
            for number in (signal.SIGTERM, signal.SIGCONT):
                try:
                    os.kill(pid, number)
                except OSError:
                    continue
        while not self.empty() and monotonic() < until and not self.hurried and not self.server_gone():
            self.wait(until)

    def sweep(self) -> None:
        """Stop before killing, so that nothing forks away between being listed and being killed."""
        until = monotonic() + SWEEP_LIMIT
        self.reap()
        while not self.empty():
            left = self.signal_all(signal.SIGSTOP, signal.SIGKILL)
            if monotonic() > until:
                os.write(2, f"could not be ended: {left}\n".encode())
                # To the server a killed keeper means: look for yourself, and tell the person who is left.
                os.kill(os.getpid(), signal.SIGKILL)
            sleep(0.002)
            self.reap()

    def run(self, argv: list[str]) -> int:
        self.start(argv)
        self.reap()
        while self.status is None and not self.asked and not self.server_gone():
            self.wait()
        if not self.server_gone() and not self.empty():
            self.ask_all(self.grace if self.asked else min(self.grace, LEFTOVER_GRACE))
        self.sweep()
        if self.status is None:
            return SPAWN_FAILED
        code = os.waitstatus_to_exitcode(self.status)
        return code if code >= 0 else 128 - code


def main() -> None:
    split = sys.argv.index("--")
    server, grace, mode = sys.argv[1:split]
    os._exit(Keeper(int(server), float(grace), mode).run(sys.argv[split + 1 :]))


if __name__ == "__main__":
    main()
