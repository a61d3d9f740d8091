"""The Dutch catalogues of the apps: read out of the source, filled, checked and compiled.

Works with Babel alone: a fresh machine has no GNU gettext. `django.po` and `django.mo` are both
kept in git, so that a clone speaks Dutch without any tool; both are written the same way each time
(no dates, no line numbers), so that they change only when words change.
"""

import io
import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation.template import templatize

APPS = ("clubs", "scoring", "tournaments")
CONTEXT_SEPARATOR = "\x04"

Words = str | tuple[str, ...]

_KEYWORDS: dict[str, tuple[int | tuple[int, str], ...] | None] = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
_PLACEHOLDER = re.compile(r"%%|%\(\w+\)[a-z]|%[sd]|\{\w*\}")


class DutchCatalogue(Catalog):
    """A Babel catalogue whose header says only what a reader of the file needs."""

    def __init__(self) -> None:
        super().__init__(locale="nl", domain="django", header_comment="", fuzzy=False)

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        return [
            ("Language", "nl"),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=UTF-8"),
            ("Content-Transfer-Encoding", "8bit"),
            ("Plural-Forms", "nplurals=2; plural=(n != 1);"),
        ]


def current(app: str) -> DutchCatalogue:
    """The app's catalogue as it should be: each text of the source, with the Dutch known so far."""
    stored = _stored(app)
    catalogue = DutchCatalogue()
    for identifier, context in _extracted(app):
        message = catalogue.add(identifier, context=context)
        known = stored.get(identifier, context)
        if known is not None and known.pluralizable == message.pluralizable:
            message.string, message.flags = known.string, message.flags | known.flags
    return catalogue


def fill(catalogue: Catalog, translations: dict[str, str | list[str]]) -> set[str]:
    """Write `translations` (by `key`) into the catalogue; returns the keys it knew."""
    filled = set()
    for message in texts(catalogue):
        given = translations.get(key(message))
        if given is not None and isinstance(given, list) == message.pluralizable:
            message.string = tuple(given) if isinstance(given, list) else given
            message.flags.discard("fuzzy")
            filled.add(key(message))
    return filled


def save(app: str, catalogue: Catalog) -> None:
    """Write the app's `django.po` and `django.mo`, each in one step and only if it changed."""
    for path, content in _files(app, catalogue).items():
        if not path.exists() or path.read_bytes() != content:
            _replace(path, content)


def faults(app: str) -> Iterator[str]:
    """What is wrong with the app's stored catalogue, one line each; nothing when it is complete."""
    catalogue = current(app)
    for path, content in _files(app, catalogue).items():
        if not path.exists() or path.read_bytes() != content:
            yield f"{app}: {path.name} is out of date"
    for message in texts(catalogue):
        if not translated(message):
            yield f"{app}: not translated: {key(message)!r}"
        elif message.fuzzy:
            yield f"{app}: fuzzy: {key(message)!r}"
        elif not _same_placeholders(message):
            yield f"{app}: other placeholders than the English: {key(message)!r}"


def missing(app: str) -> dict[str, str | list[str]]:
    """The app's untranslated texts, in the form that `fill` takes."""
    return {
        key(message): ["", ""] if message.pluralizable else ""
        for message in texts(current(app))
        if not translated(message)
    }


def texts(catalogue: Catalog) -> list[Message]:
    """The messages of a catalogue without its header."""
    return [message for message in catalogue if message.id]


def translated(message: Message) -> bool:
    """Whether every form of the message has Dutch words."""
    return bool(message.string) and all(_forms(message.string))


def key(message: Message) -> str:
    """A translator's name for the message: its English singular, after its context if any."""
    singular = _forms(message.id)[0]
    return f"{message.context}{CONTEXT_SEPARATOR}{singular}" if message.context else singular


def _base() -> Path:
    return Path(settings.BASE_DIR)


def _stored(app: str) -> Catalog:
    path = _folder(app) / "django.po"
    if not path.exists():
        return DutchCatalogue()
    with path.open("rb") as file:
        return read_po(file, locale="nl", domain="django", abort_invalid=True)


def _extracted(app: str) -> Iterator[tuple[Words, str | None]]:
    for path in _python_files(app):
        yield from _texts_in(path.read_text())
    for path in _template_files(app):
        source = templatize(path.read_text(), origin=str(path))
        yield from _texts_in("\n".join(line.strip() for line in source.splitlines()))


def _texts_in(source: str) -> Iterator[tuple[Words, str | None]]:
    file = io.BytesIO(source.encode())
    for _line, identifier, _comments, context in extract("python", file, _KEYWORDS):
        yield identifier if isinstance(identifier, str) else tuple(identifier), context


def _python_files(app: str) -> Iterable[Path]:
    files = sorted((_base() / app).rglob("*.py"))
    return [path for path in files if "migrations" not in path.parts]


def _template_files(app: str) -> Iterable[Path]:
    """The templates of an app; those of no app belong to `clubs`, the app that all others know."""
    root = _base() / "templates"
    for path in sorted(root.rglob("*.html")) + sorted(root.rglob("*.txt")):
        owner = path.relative_to(root).parts[0]
        if app == (owner if owner in APPS else "clubs"):
            yield path


def _files(app: str, catalogue: Catalog) -> dict[Path, bytes]:
    source, compiled = io.BytesIO(), io.BytesIO()
    write_po(source, catalogue, width=100, no_location=True, sort_output=True)
    write_mo(compiled, catalogue)
    folder = _folder(app)
    return {folder / "django.po": source.getvalue(), folder / "django.mo": compiled.getvalue()}


def _folder(app: str) -> Path:
    return _base() / app / "locale" / "nl" / "LC_MESSAGES"


def _replace(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
    Path(temporary).chmod(0o644)
    Path(temporary).replace(path)


def _forms(words: str | Iterable[str] | None) -> tuple[str, ...]:
    return (words,) if isinstance(words, str) else tuple(words or ())


def _same_placeholders(message: Message) -> bool:
    """Whether the Dutch names what the English names; a singular may leave the number out."""
    english = [set(_PLACEHOLDER.findall(form)) for form in _forms(message.id)]
    dutch = [set(_PLACEHOLDER.findall(form)) for form in _forms(message.string)]
    return dutch[-1] == english[-1] and set().union(*dutch) <= set().union(*english)
