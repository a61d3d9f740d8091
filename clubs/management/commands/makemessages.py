"""Django's `makemessages` with this project's layout and options."""

import shutil
import sys
import tempfile
from contextlib import chdir
from pathlib import Path
from typing import Any

from babel.messages.pofile import read_po
from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.core.management.commands import makemessages
from django.core.management.utils import popen_wrapper

from clubs.management.shared import APPS

LOCALE = "nl"
# Sorted, without line numbers and dates: a catalogue changes only when words do.
FORM = ["--sort-output", "--no-location", "--width=100"]
CHANGING_HEADERS = '"POT-Creation-Date:', '"Report-Msgid-Bugs-To:'
NOT_TRANSLATED = ["tests", "migrations", "config", "docs", "fixtures", "requirements", "var"]


class Command(makemessages.Command):
    """Read the texts of code and templates into the Dutch catalogues.

    Templates stand outside the apps: `templates/<app>/` goes into the catalogue of that app, other
    templates into the one of `clubs`. A package with a catalogue of another domain knows no Django;
    its texts, marked by `english(…)`, are read with plain xgettext.
    """

    help = "Reads the texts of code and templates into the Dutch catalogues."

    msgmerge_options = [*makemessages.Command.msgmerge_options, "--no-fuzzy-matching", *FORM]
    msguniq_options = [*makemessages.Command.msguniq_options, *FORM]
    msgattrib_options = [*makemessages.Command.msgattrib_options, *FORM]
    xgettext_options = [*makemessages.Command.xgettext_options, *FORM]

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--check",
            action="store_true",
            help="change nothing; exit 1 with the names of catalogues that are out of date",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if shutil.which("xgettext") is None:
            raise CommandError("This needs GNU gettext (Debian: apt-get install gettext).")
        if options["check"]:
            self._check(options)
        else:
            self._update(Path(settings.BASE_DIR), options)
            if options["verbosity"]:
                self._tell_what_is_empty(Path(settings.BASE_DIR))

    def find_files(self, root: str) -> list[makemessages.TranslatableFile]:
        """As Django does, with an app for each template."""
        files = super().find_files(root)
        for file in files:
            folders = Path(file.dirpath).parts
            if folders[:1] == ("templates",):
                app = folders[1] if folders[1:] and folders[1] in APPS else "clubs"
                file.locale_dir = str(Path(app, "locale").absolute())
        return files

    def write_po_file(self, potfile: str, locale: str) -> None:
        super().write_po_file(potfile, locale)
        _drop_headers(Path(potfile).parent / locale / "LC_MESSAGES" / f"{self.domain}.po")

    def _update(self, base: Path, options: dict[str, Any]) -> None:
        plain = [path for path in _catalogues(base) if path.stem != "django"]
        packages = [str(path.parents[3].relative_to(base)) for path in plain]
        ignored = [*options["ignore_patterns"], *NOT_TRANSLATED, *packages]
        with chdir(base):
            given = {"locale": [LOCALE], "ignore_patterns": ignored, "no_obsolete": True}
            super().handle(**{**options, **given})
            for path in plain:
                _update_plain(path)

    def _tell_what_is_empty(self, base: Path) -> None:
        for path in _catalogues(base):
            empty = sum(not _is_translated(words) for words in _words(path).values())
            if empty:
                self.stdout.write(f"{path.relative_to(base)}: {empty} to translate")

    def _check(self, options: dict[str, Any]) -> None:
        base = Path(settings.BASE_DIR)
        with tempfile.TemporaryDirectory() as folder:
            scratch = Path(folder).resolve()
            for name in (*APPS, "templates"):
                shutil.copytree(base / name, scratch / name, ignore=_without_texts)
            self._update(scratch, {**options, "verbosity": 0})
            names = [
                str(path.relative_to(scratch))
                for path in _catalogues(scratch)
                if _words(path) != _words(base / path.relative_to(scratch))
            ]
        if names:
            self.stderr.write(f"Out of date, run `make messages`: {', '.join(names)}")
            sys.exit(1)


def _catalogues(base: Path) -> list[Path]:
    """The catalogues that are read out of the source."""
    return [
        path
        for app in APPS
        for path in sorted((base / app).glob(f"**/locale/{LOCALE}/LC_MESSAGES/*.po"))
    ]


def _without_texts(folder: str, names: list[str]) -> list[str]:
    """The files that a scratch copy can do without."""
    return [
        name
        for name in names
        if Path(folder, name).is_file() and Path(name).suffix not in {".py", ".html", ".txt", ".po"}
    ]


def _words(catalogue: Path) -> dict[tuple[str | None, Any], Any]:
    """What the catalogue says; another version of gettext may lay it out otherwise."""
    with catalogue.open("rb") as file:
        return {(message.context, message.id): message.string for message in read_po(file)}


def _is_translated(words: str | tuple[str, ...]) -> bool:
    """Whether there is Dutch, of a plural each form."""
    return all(words) if isinstance(words, tuple) else bool(words)


def _update_plain(catalogue: Path) -> None:
    """Read the texts of the package that holds `catalogue`: the arguments of `english(…)`."""
    modules = sorted(str(path) for path in catalogue.parents[3].rglob("*.py"))
    template = catalogue.with_suffix(".pot")
    extract = [
        "--language=Python",
        "--force-po",
        "--from-code=UTF-8",
        "--keyword",
        "--keyword=english",
        *FORM,
    ]
    merge = ["--quiet", "--update", "--backup=none", "--no-fuzzy-matching", *FORM]
    _run("xgettext", *extract, f"--output={template}", *modules)
    _run("msgmerge", *merge, str(catalogue), str(template))
    _run("msgattrib", "--no-obsolete", *FORM, f"--output-file={catalogue}", str(catalogue))
    template.unlink()
    _drop_headers(catalogue)


def _run(*command: str) -> None:
    _, errors, status = popen_wrapper(list(command))
    if status:
        raise CommandError(errors)


def _drop_headers(catalogue: Path) -> None:
    lines = catalogue.read_text().splitlines(keepends=True)
    stable = [line for line in lines if not line.startswith(CHANGING_HEADERS)]
    catalogue.write_text("".join(stable))
