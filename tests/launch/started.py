"""The command `klaverclub` in a process of its own, as somebody at a computer starts it."""

import http.client
import os
import queue
import re
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

PATIENCE = 600.0
LAST_LINE = "Ctrl-C"


class Started:
    """It runs, and has shown its addresses: `said` is what stands in the terminal so far."""

    def __init__(self, process: "subprocess.Popen[str]", said: str, port: int) -> None:
        self.process, self.said, self.port = process, said, port

    def get(self, path: str, **headers: str) -> tuple[int, str]:
        """The status and the text of a page, as this computer's own browser gets it."""
        return self.ask("GET", path, **headers)

    def ask(self, method: str, path: str, body: str = "", **headers: str) -> tuple[int, str]:
        """The status and the text of an answer."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)) as asked:
            asked.request(method, path, body or None, headers)
            answer = asked.getresponse()
            return answer.status, answer.read().decode()

    def stop(self, number: int = signal.SIGINT) -> tuple[int, str]:
        """End it as somebody who presses Ctrl-C; its exit status, and what it still said."""
        self.process.send_signal(number)
        rest, _ = self.process.communicate(timeout=60)
        return self.process.returncode, rest


@contextmanager
def started(
    command: Sequence[str], home: Path, *, cwd: Path, **environment: str
) -> Iterator[Started]:
    """Start it with this folder as its home, and come back once it serves."""
    # What a shell starts to go on behind it is deaf to Ctrl-C, and hands that on to its own.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    kept = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
    process = subprocess.Popen(
        command,
        cwd=cwd,
        env={**kept, "HOME": str(home), "PYTHONUTF8": "1", "LOCAL_NAME": "off", **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        said = _until_served(process)
        found = re.search(r"http://localhost:(\d+)/", said)
        assert found, said
        yield Started(process, said, int(found[1]))
    finally:
        process.kill()
        process.communicate()


def _until_served(process: Any) -> str:
    """What it says until it serves; fails with that when it ends before, or says nothing more."""
    lines: queue.Queue[str] = queue.Queue()
    served = threading.Event()

    def listen() -> None:
        while not served.is_set() and (line := process.stdout.readline()):
            lines.put(line)
            if LAST_LINE in line:
                return
        lines.put("")

    threading.Thread(target=listen, daemon=True).start()
    said, end = "", time.monotonic() + PATIENCE
    while LAST_LINE not in said:
        try:
            line = lines.get(timeout=max(0.0, end - time.monotonic()))
        except queue.Empty:
            served.set()
            raise AssertionError(f"It does not serve: {said}") from None
        assert line, said
        said += line
    return said
