"""One child process that is spoken to in lines, never waiting without a limit (POSIX: pipes are polled).

`child.send(line)` queues a line; `child.receive(deadline)` gives the next line the child wrote, or raises `Gone` (it
died), `Silent` (the deadline passed) or `TooLong`. `child.end()` closes its input and sees that it is gone.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

_PIPE_BYTES = 1 << 20  # answers of a whole window fit, so the child need not wait for the parent
_GRACE = 2.0  # seconds between closing a child's input and killing it


class Gone(Exception):
    """The process ended. The message says how."""


class Silent(Exception):
    """No line came before the deadline."""


class TooLong(Exception):
    """A line is longer than allowed."""


class Child:
    """A running command with pipes. What it writes to standard error is kept in a file (`complaints()`).

    `ours`: the command is this very Python, so what is importable here becomes importable there.
    """

    def __init__(self, command: list[str], longest_line: int = 64 << 20, ours: bool = False) -> None:
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the child; `end` closes it
        self._longest = longest_line
        self._unsent = bytearray()
        self._unread = bytearray()
        self._searched = 0
        try:
            self.process = self._started(command, ours)
        except OSError:
            self._stderr.close()
            raise
        assert self.process.stdin and self.process.stdout
        self._in, self._out = self.process.stdin.fileno(), self.process.stdout.fileno()
        for descriptor in (self._in, self._out):
            os.set_blocking(descriptor, False)
            _widen(descriptor)
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)

    def _started(self, command: list[str], ours: bool) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            bufsize=0,
            env=_environment() if ours else None,
            start_new_session=True,  # Ctrl-C is for the parent, which then ends its children
        )

    def send(self, line: str) -> None:
        """Queue a line; it is written now as far as the pipe takes it, the rest while answers are awaited."""
        self._unsent += line.encode("ascii") + b"\n"
        self._write()

    def receive(self, deadline: float) -> bytes:
        """The next line, without its end. `deadline` is a time of `time.monotonic()`."""
        while True:
            line = self._line()
            if line is not None:
                return line
            if not self._wait(deadline) and time.monotonic() >= deadline:
                raise Silent

    def memory(self) -> int:
        """Bytes the process holds in memory now; 0 where the system does not tell."""
        try:
            return int(Path(f"/proc/{self.process.pid}/statm").read_text("ascii").split()[1]) * os.sysconf(
                "SC_PAGE_SIZE"
            )
        except (OSError, ValueError, IndexError):
            return 0

    def complaints(self) -> str:
        """The last line written to standard error, or nothing."""
        self._stderr.seek(0)
        lines = self._stderr.read()[-4000:].decode("utf-8", "replace").strip().splitlines()
        return lines[-1].strip() if lines else ""

    def end(self) -> None:
        """Close the input, give the process a moment, then kill it. Safe to call twice."""
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                with contextlib.suppress(OSError):
                    pipe.close()
        try:
            self.process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            self.kill()
        self._stderr.close()

    def kill(self) -> None:
        """End the process at once."""
        self.process.kill()
        self.process.wait()

    # ------------------------------------------------------------ pipes

    def _line(self) -> bytes | None:
        end = self._unread.find(b"\n", self._searched)
        if end < 0:
            self._searched = len(self._unread)
            if self._searched > self._longest:
                raise TooLong
            return None
        line = bytes(self._unread[:end])
        del self._unread[: end + 1]
        self._searched = 0
        return line

    def _wait(self, deadline: float) -> bool:
        """Write and read what can be; whether anything came in."""
        if self._unsent:
            self._poll.register(self._in, select.POLLOUT)
        ready = self._poll.poll(max(0.0, (deadline - time.monotonic()) * 1000))
        if self._unsent:
            self._poll.unregister(self._in)
        came = False
        for descriptor, _ in ready:
            if descriptor == self._out:
                came = self._read() or came
            else:
                self._write()
        return came

    def _read(self) -> bool:
        data = os.read(self._out, _PIPE_BYTES)
        if not data:
            raise Gone(self._how_it_ended())
        self._unread += data
        return True

    def _write(self) -> None:
        try:
            while self._unsent:
                written = os.write(self._in, self._unsent[:_PIPE_BYTES])
                del self._unsent[:written]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._unsent.clear()  # the process is gone; reading says how

    def _how_it_ended(self) -> str:
        try:
            status = self.process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            return "the process closed its output"
        if status < 0:
            return f"the process was ended by {signal.Signals(-status).name}"
        return f"the process ended with exit status {status}"


def _environment() -> dict[str, str]:
    """This environment, with everything importable here importable there."""
    paths = [str(Path(__file__).resolve().parent.parent), *(path for path in sys.path if path)]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(dict.fromkeys(paths))}


def _widen(descriptor: int) -> None:
    try:
        import fcntl

        fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    except (ImportError, AttributeError, OSError):
        return  # not Linux, or not allowed so much: the usual size works too
