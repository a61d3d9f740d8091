"""Firefox by Marionette, the protocol it has itself: JSON with its length before it. Nothing to
install but the browser."""

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

import pytest

from tests.nginx import free_port

PROGRAMS = "firefox-esr", "firefox"
PATIENCE = 30
PREFERENCES = """user_pref("marionette.port", {port});
user_pref("dom.w3c_touch_events.enabled", 1);
user_pref("intl.accept_languages", "nl-NL, nl");
user_pref("network.manage-offline-status", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
"""


class Firefox:
    """A phone with Firefox: it is tapped on the glass, turned, and loses the network."""

    def __init__(self, port: int) -> None:
        self._last = 0
        self._socket = _connect(port)
        self._read()
        self._ask("WebDriver:NewSession", {"capabilities": {}})

    def open(self, address: str) -> None:
        self._ask("WebDriver:Navigate", {"url": address})

    def reload(self) -> None:
        self._ask("WebDriver:Refresh")

    def back(self) -> None:
        self._ask("WebDriver:Back")

    def run(self, script: str, *values: object) -> Any:
        """What a function of these values returns in the page."""
        return self._ask("WebDriver:ExecuteScript", {"script": script, "args": list(values)})[
            "value"
        ]

    def until(self, script: str, *values: object) -> None:
        """Wait until the function says yes; while a page is leaving it says nothing."""
        end = time.monotonic() + PATIENCE
        while True:
            with suppress(RuntimeError):
                if self.run(script, *values):
                    return
            assert time.monotonic() < end, (
                script,
                values,
                self.run("return document.body.innerText"),
            )
            time.sleep(0.05)

    def tap(self, x: float, y: float, *, again: float | None = None) -> None:
        """Touch the glass, and once more after so many seconds."""
        down_and_up = [
            {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        if again is not None:
            down_and_up += [{"type": "pause", "duration": round(again * 1000)}, *down_and_up]
        finger = {
            "type": "pointer",
            "id": "finger",
            "parameters": {"pointerType": "touch"},
            "actions": down_and_up,
        }
        self._ask("WebDriver:PerformActions", {"actions": [finger]})

    def resize(self, width: int, height: int) -> None:
        """Show the page as on a screen of this size; a window is never as narrow as a phone."""
        self._of_browser(
            "gBrowser.selectedBrowser.style.cssText ="
            " `width: ${arguments[0]}px; height: ${arguments[1]}px; flex: none`",
            width,
            height,
        )
        self.until(
            "return innerWidth === arguments[0] && innerHeight === arguments[1]", width, height
        )

    def offline(self, *, off: bool) -> None:
        self._of_browser("Services.io.offline = arguments[0]", off)

    def quit(self) -> None:
        self._ask("Marionette:Quit", {"flags": ["eForceQuit"]})

    def _of_browser(self, script: str, *values: object) -> None:
        self._ask("Marionette:SetContext", {"value": "chrome"})
        try:
            self.run(script, *values)
        finally:
            self._ask("Marionette:SetContext", {"value": "content"})

    def _ask(self, command: str, values: Mapping[str, Any] | None = None) -> Any:
        self._last += 1
        message = json.dumps([0, self._last, command, values or {}]).encode()
        self._socket.sendall(b"%d:%s" % (len(message), message))
        _kind, _number, error, result = self._read()
        if error:
            raise RuntimeError(f"{error['error']}: {error['message']}")
        return result

    def _read(self) -> Any:
        length = b""
        while (digit := self._socket.recv(1)) != b":":
            assert digit, "Firefox has gone."
            length += digit
        message = b""
        while len(message) < int(length):
            message += self._socket.recv(int(length) - len(message))
        return json.loads(message)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.quit()
        self._socket.close()


@contextmanager
def firefox() -> Iterator[Firefox]:
    """A Firefox with a profile of its own. Skips the test where there is none: no test of the gate
    needs it."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        pytest.skip("No Firefox here (Debian: apt-get install firefox-esr).")
    port = free_port()
    with TemporaryDirectory(prefix="klaverclub-firefox-", ignore_cleanup_errors=True) as profile:
        Path(profile, "user.js").write_text(PREFERENCES.format(port=port))
        command = [program, "--headless", "--marionette", "--no-remote", "--profile", profile]
        with subprocess.Popen(
            command,
            env={**os.environ, "HOME": profile},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as process:
            try:
                with Firefox(port) as browser:
                    yield browser
            finally:
                process.kill()


def _connect(port: int) -> socket.socket:
    end = time.monotonic() + 2 * PATIENCE
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=2 * PATIENCE)
        except OSError:
            assert time.monotonic() < end, "Firefox did not start."
            time.sleep(0.2)
