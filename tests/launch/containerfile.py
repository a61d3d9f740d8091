"""The steps of a Containerfile, taken in a root that is there already: as much of its language as
ours uses, and anything else is a fault."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.launch.roots import Root

SAID_ONLY = "VOLUME", "EXPOSE"


@dataclass
class Image:
    """What has been said so far of the image."""

    root: Root
    context: Path
    """The folder that COPY takes from."""
    base: str = ""
    user: str = "root"
    folder: str = "/"
    command: list[str] = field(default_factory=list)
    environment: dict[str, str] = field(default_factory=dict)

    def build(self, steps: str) -> None:
        """Take every step, in order."""
        for name, given in steps_read(steps):
            if name not in SAID_ONLY:
                getattr(self, f"_{name.lower()}")(given)

    def words(self, command: list[str]) -> list[str]:
        """A command as it is run in the root: by this user, with these settings."""
        settings = [f"{name}={value}" for name, value in self.environment.items()]
        return ["runuser", "-u", self.user, "--", "env", "-C", self.folder, *settings, *command]

    def _from(self, given: str) -> None:
        self.base = given

    def _run(self, given: str) -> None:
        self.root.run(*self.words(["sh", "-c", given]))

    def _copy(self, given: str) -> None:
        *patterns, target = given.split()
        for pattern in patterns:
            found = sorted(self.context.glob(pattern))
            assert found, pattern
            for path in found:
                self.root.bring(path, f"{target}{path.name}")

    def _env(self, given: str) -> None:
        name, _, value = given.partition("=")
        self.environment[name] = value

    def _user(self, given: str) -> None:
        self.user = given

    def _workdir(self, given: str) -> None:
        self.folder = given

    def _cmd(self, given: str) -> None:
        self.command = json.loads(given)


def steps_read(text: str) -> Iterator[tuple[str, str]]:
    """Each instruction with what follows it, on one line."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    for line in re.sub(r"\\\n\s*", "", "\n".join(lines)).splitlines():
        name, _, given = line.partition(" ")
        yield name, given
