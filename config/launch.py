"""The command `klaverclub`, for a club's own computer: from nothing to an evening that is served.

It makes its folder, copies a database that this version must change, brings it up to date, finds a
port, shows the address as a code to scan, opens the browser, and serves until Ctrl-C. Nothing on
this way is there on POSIX only.
"""

import argparse
import logging
import os
import select
import signal
import socket
import sys
import webbrowser
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from io import StringIO
from pathlib import Path
from threading import Thread
from typing import Any, Final

import segno
from waitress import create_server

from clubs.launch import place
from clubs.launch.texts import CannotStart, Language, english, spoken, translate

THREADS: Final = 8
"""As many as `make run` has, in its two processes."""
CONNECTIONS: Final = 1000 if hasattr(select, "poll") else 400
"""Phones and screens keep theirs open; `select`, all that Windows has, knows no more than 512."""
BLOCKS: Final = "█▀▄"
ON_BLACK: Final = "\033[40;97m{}\033[0m"


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve, or do what `manage` says; returns the exit status."""
    _write_what_can_be_written()
    given = list(sys.argv[1:] if arguments is None else arguments)
    language = spoken()
    own = given[: given.index("manage")] if "manage" in given else given
    options = _parser(language).parse_args(own)
    try:
        folder = _folder(demo=options.demo)
        if len(own) < len(given):
            return _manage(given[len(own) + 1 :], folder)
        return Launch(folder, options, language).run()
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
    its own, so that a club never begins among invented people."""
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

    def __init__(self, folder: Path, options: argparse.Namespace, language: Language) -> None:
        self._folder, self._options, self._language = folder, options, language

    def run(self) -> int:
        """Serve until somebody stops it. Raises CannotStart."""
        wanted = self._options.port or os.environ.get("PORT")
        claim = place.Claim(self._folder)
        before = place.port_kept(self._folder)
        if not claim.is_granted():
            self._show_running(before or place.USUAL_PORT)
            return 0
        bound = place.listening(place.port_read(wanted) if wanted else None, before)
        port: int = bound.getsockname()[1]
        place.port_keep(self._folder, port)
        os.environ["PORT"] = str(port)
        try:
            self._prepare()
            self._serve(bound, port)
        finally:
            bound.close()
            claim.end()
        self._say(english("Klaverclub has stopped."))
        return 0

    def _show_running(self, port: int) -> None:
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
            if not self._options.log:
                _log_only_trouble()
            translation.activate(self._language)
            self._database()
        except (ImproperlyConfigured, DatabaseError) as error:
            raise CannotStart(
                english("Klaverclub cannot start with these settings: %(why)s"), why=error
            ) from error
        finally:
            connections.close_all()

    def _database(self) -> None:
        from django.core.management import call_command
        from django.utils import timezone

        from clubs.launch import upgrade
        from tournaments.copies.services import folder_copy_before_migrating

        upgrade.require_known()
        if upgrade.is_behind():
            if upgrade.is_there():
                now = timezone.localtime()
                copy = upgrade.copy_make(self._folder / "copies", _version(), now)
                if copy:
                    self._say(english("A copy of the database from before: %(copy)s"), copy=copy)
                folder_copy_before_migrating()
            else:
                self._say(english("The first time, this takes a moment."))
            upgrade.migrated()
        if self._options.demo:
            call_command("demo")

    def _serve(self, bound: socket.socket, port: int) -> None:
        server = server_of(import_module("config.wsgi").application, bound)
        self._show(port)
        _end_as_by_ctrl_c()
        server.run()
        server.close()

    def _show(self, port: int) -> None:
        from django.conf import settings

        from clubs.http.network import lan_urls
        from clubs.models import Club

        hall = settings.PUBLIC_URL or lan_urls()[0]
        self._say(english("On this computer"), _here(port))
        if "//127.0.0.1:" in hall:
            self._say(english("This computer is on no network yet: phones cannot reach it."))
        else:
            self._say(english("For phones in the hall"), f"{hall}/")
            sys.stdout.write(code_drawn(f"{hall}/"))
            self._say(
                english(
                    "Scan this with a phone on the same wifi: did it open? If not, the firewall of"
                    " this computer or the wifi itself stands between."
                )
            )
        if not Club.objects.exists():
            self._say(english("There is no club yet; the page in the browser says how to begin."))
        self._say(english("Ctrl-C stops it."))
        self._open(port)

    def _open(self, port: int) -> None:
        if place.is_shown() and not self._options.no_browser:
            # Some browsers are waited for.
            Thread(target=webbrowser.open, args=(_here(port),), daemon=True).start()

    def _say(self, text: str, address: str = "", **values: object) -> None:
        said = translate(text, self._language) % values
        sys.stdout.write(f"{said}: {address}\n" if address else f"{said}\n")
        sys.stdout.flush()


def server_of(application: Any, bound: socket.socket) -> Any:
    """A server with threads on a socket that listens already.

    It reads what is sent, and sends what is answered, beside its threads: whoever does either
    slowly holds up nobody. Whom to believe about addresses, and how large a request may be, is left
    to our own middleware, which every server has; beyond what that reads away a request ends here.
    """
    from clubs.http.middleware import READ_AWAY

    return create_server(
        application,
        sockets=[bound],
        threads=THREADS,
        connection_limit=CONNECTIONS,
        asyncore_use_poll=hasattr(select, "poll"),
        max_request_body_size=READ_AWAY,
        max_request_header_size=1 << 16,
        clear_untrusted_proxy_headers=False,
        ident="",
    )


def code_drawn(url: str) -> str:
    """A QR code as lines of text, light on dark whatever the terminal is; empty where it cannot
    draw one."""
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


def _log_only_trouble() -> None:
    """Otherwise the code to scan would scroll out of sight."""
    for handler in logging.getLogger().handlers:
        handler.setLevel(logging.WARNING)
    # It warns of each request that waits for a thread.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)


def _end_as_by_ctrl_c() -> None:
    """However the system asks for an end, requests in hand are answered first."""

    def end(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    for name in ("SIGTERM", "SIGBREAK", "SIGHUP"):
        number = getattr(signal, name, None)
        # `nohup` has a program go on when its window is closed.
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, end)


if __name__ == "__main__":
    sys.exit(main())
