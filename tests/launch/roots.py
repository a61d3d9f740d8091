"""A Debian with nothing on it, as a folder that mmdebstrap makes: what is tried there finds no
checkout and no environment of this one. It shares the network of this machine."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import pytest

from tests.nginx import program

SUITE = "bookworm"
OF_THE_INDEX = "PIP_", "UV_", "SSL_", "REQUESTS_"
PROXIES = "http_proxy", "https_proxy", "no_proxy"
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
SOURCES = Path("/etc/apt/sources.list.d/debian.sources"), Path("/etc/apt/sources.list")
ENTER = "unshare --mount --pid --fork --kill-child --mount-proc".split()
FOLDER = "/srv"
"""The home of whoever is there, and where they work."""
PLAIN = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": FOLDER,
    "LANG": "C.UTF-8",
    "DEBIAN_FRONTEND": "noninteractive",
}


def root_packed(target: Path, packages: Iterable[str]) -> Path:
    """A root with these packages of Debian and what they need, as a tar file; skips where none can
    be made."""
    make = program("mmdebstrap", "mmdebstrap")
    if os.geteuid() != 0:
        pytest.skip("Only root may make another root to work in.")
    wanted = ["--variant=apt", f"--include={','.join(packages)}"]
    source = [str(path) for path in SOURCES if path.is_file()][:1]
    made = subprocess.run(
        [make, *wanted, SUITE, str(target), *source], capture_output=True, text=True, check=False
    )
    if made.returncode:
        pytest.skip(f"mmdebstrap makes no root here: {made.stderr[-300:]}")
    return target


class Root:
    """One root, unpacked; programs in it see nothing else of this machine's disk."""

    def __init__(self, packed: Path, folder: Path) -> None:
        folder.mkdir()
        subprocess.run(["tar", "-xf", packed, "-C", folder], check=True)
        self.folder = folder
        for name in ("resolv.conf", "hosts"):
            shutil.copy(f"/etc/{name}", folder / "etc")
        for given in {CERTIFICATES, Path(os.environ.get("SSL_CERT_FILE") or CERTIFICATES)}:
            if given.is_file():
                place = folder / given.relative_to("/")
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(given, place)

    def path(self, name: str) -> Path:
        """A path of the root, as this machine sees it."""
        return self.folder / name.lstrip("/")

    def bring(self, path: Path, name: str) -> str:
        """Copy a file in; its name there."""
        self.path(name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, self.path(name))
        return name

    def run(self, *words: str, **environment: str) -> str:
        """What a command says; fails with that where it does not succeed."""
        done = subprocess.run(
            self._inside(words, environment),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            check=False,
            env=environment_there(environment),
        )
        assert done.returncode == 0, f"{words}: {done.stdout[-4000:]}"
        return done.stdout

    def start(self, words: Iterable[str], said: IO[str], **environment: str) -> Any:
        """A program that goes on; it ends with the process that is answered."""
        return subprocess.Popen(
            self._inside(tuple(words), environment),
            stdout=said,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            env=environment_there(environment),
        )

    def _inside(self, words: tuple[str, ...], environment: Mapping[str, str]) -> list[str]:
        where = environment.get("PWD", FOLDER)
        return [*ENTER, "--root", str(self.folder), "--wd", where, *words]


def environment_there(given: Mapping[str, str]) -> dict[str, str]:
    """Nothing of this one but how the package index is reached."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name.startswith(OF_THE_INDEX) or name.lower() in PROXIES
    }
    return {**kept, **PLAIN, **given}


def served_after(process: Any, said: Path, *, patience: float = 240.0) -> float:
    """The seconds until it says that it serves; fails with what it said where it ends before."""
    begun = time.monotonic()
    while "Ctrl-C" not in (words := said.read_text(errors="replace")):
        assert process.poll() is None, words
        assert time.monotonic() < begun + patience, words
        time.sleep(0.05)
    return time.monotonic() - begun


def ended(process: Any) -> None:
    """Stop what was started, whatever it does."""
    process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(20)
    process.kill()
    process.wait()
