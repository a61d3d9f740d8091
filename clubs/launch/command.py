"""The command `klaverclub`, for a club's own computer: from nothing to an evening that is served.

It makes its folder, copies a database that this version must change, brings it up to date, finds a
port, shows the address as a code to scan, opens the browser, and serves until Ctrl-C. Nothing on
this way is there on POSIX only.
"""

import argparse
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from io import StringIO
from pathlib import Path
from typing import Any, Final

from clubs.launch import place
from clubs.launch.texts import CannotStart, Language, english, spoken, translate

BLOCKS: Final = "█▀▄"
CHANGED: Final = english(
    "The codes of %(club)s carry %(address)s, and that is not the address of this computer now."
    " Choose the address anew at the desk, under Settings, Address for phones."
)
PATIENCE: Final = 3.0
"""As long the start waits for a name in the hall, in seconds."""
ON_BLACK: Final = "\033[40;97m{}\033[0m"


@dataclass(frozen=True, slots=True)
class Program:
    """What is started, by functions that are called once the settings can be read: what answers
    requests, and what else is to be done before the database is changed, which returns what went
    wrong with that, in words, if anything did."""

    application: Callable[[], Any]
    before_migrating: Callable[[], str]


def run(program: Program, arguments: Sequence[str]) -> int:
    """Serve, or do what `manage` says; returns the exit status."""
    _write_what_can_be_written()
    given = list(arguments)
    language = spoken()
    own = given[: given.index("manage")] if "manage" in given else given
    options = _parser(language).parse_args(own)
    try:
        folder = _folder(demo=options.demo)
        if len(own) < len(given):
            return _manage(given[len(own) + 1 :], folder)
        return Launch(program, folder, options, language).run()
    except CannotStart as error:
        sys.stderr.write(f"{translate(error.text, language) % error.values}\n")
        return 1
    except KeyboardInterrupt:
        return 0


def _write_what_can_be_written() -> None:
    """An old console that lacks a letter shows a question mark, and nothing ends for it."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _parser(language: Language) -> argparse.ArgumentParser:
    def said(text: str) -> str:
        return translate(text, language)

    parser = argparse.ArgumentParser(
        prog="klaverclub",
        usage="klaverclub [--demo] [--port N] [--no-browser] [--log] [manage …]",
        description=said(english("Runs the klaverjas evening of a club, from this computer.")),
        epilog=said(english("“klaverclub manage help” lists what else there is to do.")),
    )
    parser.add_argument("--version", action="version", version=f"Klaverclub {_version()}")
    for option, text in (
        ("--demo", english("play with a demo club, in a folder of its own")),
        ("--no-browser", english("open no browser")),
        ("--log", english("show every request")),
    ):
        parser.add_argument(option, action="store_true", help=said(text))
    port = english("the port to serve on; without it, and without PORT, a free one")
    parser.add_argument("--port", metavar="N", help=said(port))
    return parser


def _version() -> str:
    try:
        return version("klaverclub")
    except PackageNotFoundError:
        return "(checkout)"


def _folder(*, demo: bool) -> Path:
    """The folder of the data, made if need be; from here on the settings have it too. The demo has
    its own, so that a club never begins among invented people. Raises CannotStart."""
    if demo and os.environ.get("DATABASE_URL"):
        raise CannotStart(
            english(
                "The demo has a database of its own, and the setting DATABASE_URL names another."
                " Take away --demo, or that setting."
            )
        )
    folder = Path(os.environ.get("DATA_DIR") or place.usual_folder()).absolute()
    folder = folder / "demo" if demo else folder
    place.folder_make(folder)
    os.environ["DATA_DIR"] = str(folder)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    return folder


def _manage(words: Sequence[str], folder: Path) -> int:
    from django.core.management import execute_from_command_line

    # Links that are printed name the port that is served on.
    os.environ.setdefault("PORT", str(place.port_kept(folder) or place.USUAL_PORT))
    execute_from_command_line(["klaverclub manage", *words])
    return 0


class Launch:
    """One start, and what is served until it ends."""

    def __init__(
        self, program: Program, folder: Path, options: argparse.Namespace, language: Language
    ) -> None:
        self._program, self._folder = program, folder
        self._options, self._language = options, language

    def run(self) -> int:
        """Serve until somebody stops it, if nobody does so already. Raises CannotStart."""
        with closing(place.Claim(self._folder)) as claim:
            if claim.is_granted():
                self._run()
            else:
                self._show_running()
        return 0

    def _run(self) -> None:
        wanted = self._options.port or os.environ.get("PORT")
        asked = place.port_read(wanted) if wanted else None
        with closing(place.listening(asked, place.port_kept(self._folder))) as bound:
            port: int = bound.getsockname()[1]
            place.port_keep(self._folder, port)
            os.environ["PORT"] = str(port)
            self._prepare()
            self._serve(bound, port)
        self._say(english("Klaverclub has stopped."))

    def _show_running(self) -> None:
        port = place.port_kept(self._folder) or place.USUAL_PORT
        self._say(english("Klaverclub runs on this computer already."))
        self._say(english("On this computer"), _here(port))
        self._open(port)

    def _prepare(self) -> None:
        """Set Django up, and the database."""
        import django
        from django.core.exceptions import ImproperlyConfigured
        from django.db import DatabaseError, connections
        from django.utils import translation

        self._say(english("Klaverclub starts. The data is in %(folder)s."), folder=self._folder)
        try:
            django.setup()
            translation.activate(self._language)
            self._database()
        except (ImproperlyConfigured, DatabaseError) as error:
            raise CannotStart(
                english("Klaverclub cannot start with these settings: %(why)s"), why=error
            ) from error
        connections.close_all()

    def _database(self) -> None:
        from django.utils import timezone

        from clubs.launch import running

        running.require_known()
        if running.is_behind():
            if running.is_there():
                now = timezone.localtime()
                copy = running.copy_make(self._folder / "copies", _version(), now)
                if copy:
                    self._say(english("A copy of the database from before: %(copy)s"), copy=copy)
                if fault := self._program.before_migrating():
                    self._say(english("No copy went to the folder for copies: %(why)s"), why=fault)
            else:
                self._say(english("The first time, this takes a moment."))
            running.migrated()
        if self._options.demo:
            self._demo()

    def _demo(self) -> None:
        """Make the demo, or tell of it; what else is in its folder is served as it is."""
        from django.core.management import CommandError, call_command

        try:
            call_command("demo")
        except CommandError as error:
            self._say(english("There is no demo here: %(why)s"), why=error)

    def _serve(self, bound: socket.socket, port: int) -> None:
        from clubs.http.reach import LocalName
        from clubs.launch.running import end_as_by_ctrl_c, log_only_trouble, server_of

        # It is looked for while the rest is made ready.
        with closing(LocalName(port)) as name:
            server = server_of(self._program.application(), bound)
            if not self._options.log:
                log_only_trouble()
            self._show(port, name.url(PATIENCE))
            end_as_by_ctrl_c()
            server.run()
        server.close()

    def _show(self, port: int, named: str) -> None:
        from django.conf import settings
        from django.db import connections

        from clubs.http.network import lan_urls
        from clubs.http.reach import is_elsewhere
        from clubs.models import Club

        hall = settings.PUBLIC_URL or lan_urls()[0]
        self._say(english("On this computer"), _here(port))
        if "//127.0.0.1:" in hall:
            self._say(english("This computer is on no network yet: phones cannot reach it."))
        else:
            self._say(english("For phones in the hall"), f"{hall}/")
            if named:
                self._say(english("Or, where the wifi knows it"), f"{named}/")
            sys.stdout.write(code_drawn(f"{hall}/"))
            self._say(
                english(
                    "Scan this with a phone on the same wifi: did it open? If not, the firewall of"
                    " this computer or the wifi itself stands between: at the desk, under Settings,"
                    " Address for phones, stands which of the two, and what to do."
                )
            )
        clubs = list(Club.objects.order_by("slug"))
        for club in clubs:
            if is_elsewhere(club.address):
                self._say(CHANGED, club=club.name, address=club.address)
        if not clubs:
            self._say(english("There is no club yet; the page in the browser says how to begin."))
        connections.close_all()
        self._say(english("Ctrl-C stops it."))
        self._open(port)

    def _open(self, port: int) -> None:
        if place.is_shown() and not self._options.no_browser:
            # Some browsers are waited for.
            threading.Thread(target=webbrowser.open, args=(_here(port),), daemon=True).start()

    def _say(self, text: str, address: str = "", **values: object) -> None:
        said = translate(text, self._language) % values
        sys.stdout.write(f"{said}: {address}\n" if address else f"{said}\n")
        sys.stdout.flush()


def code_drawn(url: str) -> str:
    """A QR code as lines of text, light on dark whatever the terminal is; empty where it cannot
    draw one."""
    import segno

    try:
        BLOCKS.encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return ""
    drawn = StringIO()
    segno.make(url, error="l").terminal(drawn, border=2, compact=True)
    lines = drawn.getvalue().splitlines()
    # Old consoles of Windows are light on dark, and write such codes out.
    coloured = sys.stdout.isatty() and sys.platform != "win32"
    return "".join(f"{ON_BLACK.format(line) if coloured else line}\n" for line in lines)


def _here(port: int) -> str:
    return f"http://localhost:{port}/"
