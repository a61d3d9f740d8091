"""`python -m tools.deb`: a Debian package of the wheel with all that it needs, for the Debian that
this machine runs.

The libraries are the pinned ones, in an environment of their own below `/usr/lib/klaverclub`, so
that nothing is fetched where the package is installed. They are built for one Python: the one of
Debian, which the package depends on.
"""

import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tools import ROOT
from tools.dist import committed_at, dist_make, version_read

PARTS: Final = Path(__file__).with_name("debian")
PYTHON: Final = Path("/usr/bin/python3")
HOME: Final = Path("usr/lib/klaverclub")
SCRIPT: Final = f"""#!/{HOME}/bin/python
import sys
from config.launch import main
sys.exit(main())
"""
PLACES: Final = {
    "klaverclub.env": "etc/klaverclub.env",
    "klaverclub.service": "lib/systemd/system/klaverclub.service",
    "klaverclub-manage": "usr/sbin/klaverclub-manage",
}
"""Where the files go that are no part of the package's own description."""
RUN: Final = {"klaverclub-manage", "postinst", "prerm", "postrm"}
OF_THE_BUILD: Final = "direct_url.json", "uv_cache.json"
"""What an installer notes about the machine that it ran on."""


def deb_make(target: Path, revision: str = "1") -> Path:
    """Build it into a folder; its path."""
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="klaverclub-deb-") as scratch:
        wheel = next(path for path in dist_make(Path(scratch)) if path.suffix == ".whl")
        tree = Path(scratch, "tree")
        _installed(wheel, tree / HOME)
        _compiled(tree)
        version = f"{version_read()}-{revision}"
        architecture = _told("dpkg", "--print-architecture")
        _described(tree, version, architecture)
        made = target / f"klaverclub_{version}_{architecture}.deb"
        _run("dpkg-deb", "--root-owner-group", "-Zzstd", "--build", str(tree), str(made))
        return made


def _installed(wheel: Path, home: Path) -> None:
    """An environment, as `venv` makes them, with the pinned libraries and the wheel."""
    minor = _minor()
    packages = home / "lib" / f"python3.{minor}" / "site-packages"
    programs = home / "bin"
    for folder in (packages, programs):
        folder.mkdir(parents=True)
    (programs / "python").symlink_to(f"/usr/bin/python3.{minor}")
    (home / "pyvenv.cfg").write_text(
        f"home = /usr/bin\ninclude-system-site-packages = false\nversion = 3.{minor}\n"
    )
    install = (sys.executable, "-m", "uv", "pip", "install", "--quiet", "--link-mode", "copy")
    here = ("--python", str(programs / "python"))
    pinned = ROOT / "requirements" / "postgres.txt"
    _run(*install, *here, "--require-hashes", "--requirement", str(pinned))
    _run(*install, *here, "--no-deps", str(wheel))
    for program in programs.iterdir():
        if program.name != "python":
            program.unlink()
    (programs / "klaverclub").write_text(SCRIPT)
    for note in packages.glob("*.dist-info/*"):
        if note.name in OF_THE_BUILD:
            note.unlink()


def _compiled(tree: Path) -> None:
    """Byte code beside the sources: the service may not write it. It is taken as it is, whatever
    the times of the files, which the package has set."""
    for left in tree.rglob("__pycache__"):
        shutil.rmtree(left)
    flags = ("-q", "-j", "0", "--invalidation-mode", "unchecked-hash", "-s", str(tree), "-p", "/")
    _run(str(PYTHON), "-m", "compileall", *flags, str(tree / HOME / "lib"))


def _described(tree: Path, version: str, architecture: str) -> None:
    """The package's own files, and what stands outside its folder."""
    link = tree / "usr" / "bin" / "klaverclub"
    link.parent.mkdir(parents=True)
    link.symlink_to(f"/{HOME}/bin/klaverclub")
    size = sum(path.lstat().st_size for path in tree.rglob("*")) // 1024
    minor = _minor()
    for part in sorted(PARTS.iterdir()):
        place = tree / PLACES.get(part.name, f"DEBIAN/{part.name}")
        place.parent.mkdir(parents=True, exist_ok=True)
        text = part.read_text("utf-8")
        if part.name == "control":
            text = text.format(
                version=version,
                architecture=architecture,
                size=size,
                python=f"3.{minor}",
                next_python=f"3.{minor + 1}",
            )
        place.write_text(text, "utf-8")
    for path in tree.rglob("*"):
        if not path.is_symlink():
            runs = path.is_dir() or path.name in RUN or path.parent.name == "bin"
            path.chmod(0o755 if runs else 0o644)
    env = tree / PLACES["klaverclub.env"]
    env.chmod(stat.S_IRUSR | stat.S_IWUSR)


def _minor() -> int:
    return int(_told(str(PYTHON), "-c", "import sys; print(sys.version_info.minor)"))


def _told(*words: str) -> str:
    return subprocess.check_output(words, text=True).strip()  # noqa: S603 — words of this module


def _run(*words: str) -> None:
    environment = {
        **os.environ,
        "SOURCE_DATE_EPOCH": os.environ.get("SOURCE_DATE_EPOCH") or committed_at(),
    }
    subprocess.run(words, check=True, env=environment, stdout=subprocess.DEVNULL)  # noqa: S603


def main(arguments: Sequence[str]) -> None:
    """Build it into `dist`, or the folder that is named."""
    made = deb_make(Path(arguments[0]) if arguments else ROOT / "dist")
    print(made.name, f"{made.stat().st_size:,} bytes")  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
