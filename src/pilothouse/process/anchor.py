"""Stands where the first server stood, once that was restarted. Standalone: started by path, never imported whole.

    python -I -S anchor.py LISTENING_FD -- program argument...

A restart is a new process with a new pid, yet the shell, the service manager or the container that started the first
one waits for *that* pid. So the first server becomes this anchor (exec keeps the pid): it starts the new server, hands
on SIGTERM, SIGINT and SIGHUP, ends as the server ends, and starts another when the server asks for it by its exit
code. It holds the listening socket all the while, so that no connection is refused between two servers.

The server gets a process group of its own: Ctrl-C at the terminal reaches the anchor alone and is handed on once,
where twice would mean "at once". When the anchor is killed the server dies with it; on systems without parent-death
signals it lives on, a stated limit.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]
import os
import sys

AGAIN = 85
"""The exit code by which a server asks for its successor."""
ANCHOR_VARIABLE = "PILOTHOUSE_ANCHOR"
LISTENING_VARIABLE = "PILOTHOUSE_LISTENING"
FAILED = 126
PR_SET_PDEATHSIG = 1
HANDED_ON = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Anchor:
    def __init__(self, listening: int) -> None:
        self.listening = listening
        self.server = 0
        self.leaving = False

    def hand_on(self, number: int, _: object) -> None:
        if not self.leaving:
            self.leaving = True
            # From now on a connection is refused, not kept waiting for a server that will not come.
            os.close(self.listening)
        os.kill(self.server, number)

    def start(self, argv: list[str]) -> None:
        # Between fork and exec a signal would run our handler in the child.
        signal.pthread_sigmask(signal.SIG_BLOCK, HANDED_ON)
        anchor = os.getpid()
        self.server = os.fork()
        if self.server == 0:
            self.become(argv, anchor)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, HANDED_ON)

    def become(self, argv: list[str], anchor: int) -> None:
        try:
            os.setpgid(0, 0)
            if sys.platform == "linux":
                import ctypes

                ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            if os.getppid() != anchor:
                os._exit(FAILED)
            for number in HANDED_ON:
                signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, HANDED_ON)
            os.environ[ANCHOR_VARIABLE] = str(anchor)
            os.environ[LISTENING_VARIABLE] = str(self.listening)
            os.execv(argv[0], argv)  # noqa: S606 - starting the server is what this file is for
        except OSError as error:
            os.write(2, f"{argv[0]}: {error.strerror}\n".encode())
        finally:
            os._exit(FAILED)

    def run(self, argv: list[str]) -> int:
        for number in HANDED_ON:
            signal.signal(number, self.hand_on)
        while True:
            self.start(argv)
            code = os.waitstatus_to_exitcode(os.waitpid(self.server, 0)[1])
            if code != AGAIN or self.leaving:
                return 128 - code if code < 0 else 0 if code == AGAIN else code


def main() -> None:
    # The token may be in the environment, and this process lives as long as all servers after it.
    import conceal  # type: ignore[import-not-found]  # beside this file

    conceal.conceal()
    split = sys.argv.index("--")
    os._exit(Anchor(int(sys.argv[1])).run(sys.argv[split + 1 :]))


if __name__ == "__main__":
    main()
