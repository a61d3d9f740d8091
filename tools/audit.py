"""`python -m tools.audit`: does a database of known holes name one in the pinned libraries?

uv asks it. Where neither the database nor the index of packages can be reached that is said, and
nothing fails: it is no fault of the code.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tools import ROOT
from tools.sbom import pins_read

HOLES: Final = 1
"""What uv ends with where it found any."""
SCRIPT: Final = """# /// script
# requires-python = ">=3.11"
# dependencies = [
{pins}
# ]
# ///
"""


def audit(requirements: Path, folder: Path, *more: str) -> int:
    """Ask about every pin, as of a script that needs them; what was worked out about them is kept
    in the folder. Returns the exit status."""
    script = folder / "pinned.py"
    pins = "\n".join(f'#     "{pin.asked_for}",' for pin in pins_read(requirements.read_text()))
    text = SCRIPT.format(pins=pins)
    if not script.is_file() or script.read_text() != text:
        folder.mkdir(parents=True, exist_ok=True)
        script.with_name("pinned.py.lock").unlink(missing_ok=True)
        script.write_text(text)
    asked = _uv("audit", "--preview-features", "audit", "--script", str(script), *more)
    sys.stdout.write(asked.stdout)
    if asked.returncode in (0, HOLES):
        sys.stderr.write(asked.stderr)
        return asked.returncode
    why = next((line for line in asked.stderr.splitlines() if line.startswith("error")), "")
    sys.stderr.write(f"Not audited: no database of holes can be asked here ({why}).\n")
    return 0


def _uv(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(  # noqa: S603 — words of this module
        [sys.executable, "-m", "uv", *words],
        env={"UV_HTTP_RETRIES": "0", **os.environ},
        capture_output=True,
        text=True,
        check=False,
    )


def main(arguments: Sequence[str]) -> int:
    """Everything that is pinned, tools as well."""
    return audit(ROOT / "requirements" / "dev.txt", ROOT / ".venv" / "audit", *arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
