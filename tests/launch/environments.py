"""Empty environments, and what is installed in them from the index of packages."""

import subprocess
import sys
from pathlib import Path


def environment_made(folder: Path) -> str:
    """An environment with nothing in it, of the Python that runs the tests; its Python."""
    _uv("venv", "--quiet", "--python", sys.executable, str(folder))
    return str(folder / "bin" / "python")


def installed(python: str, *what: str) -> None:
    """Install these in the environment of this Python."""
    _uv("pip", "install", "--quiet", "--python", python, *what)


def _uv(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "uv", *words], check=True)
