"""Brings the catalogues of the rules up to date with the code: `python -m tools.rules_texts`.

New texts come in without a translation, and those that are gone are dropped; nothing is guessed.
What is still to be translated is listed.
"""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

RULES: Final = Path(__file__).parents[1] / "scoring/rules"
MARK: Final = "english"
"""The function that marks a text of the rules."""

_HEADER: Final = """\
# The texts of the rules; `python -m tools.rules_texts` brings them up to date.
msgid ""
msgstr ""
"Language: {language}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""


def main() -> None:
    """Write every catalogue anew."""
    for path in catalogues():
        catalogue = up_to_date(path)
        path.write_bytes(as_po(catalogue))
        for message in catalogue:
            if not message.string:
                print(f"{path.parts[-3]}: {message.id}")  # noqa: T201


def catalogues() -> list[Path]:
    """The catalogue of every language but English."""
    return sorted(RULES.glob("locale/*/LC_MESSAGES/rules.po"))


def marked_texts() -> Iterator[str]:
    """Every text that the code marks, in the order of files and lines."""
    seen = set()
    for _file, _line, text, _comments, _context in extract_from_dir(RULES, keywords={MARK: None}):
        if isinstance(text, str) and text not in seen:
            seen.add(text)
            yield text


def read(path: Path) -> Catalog:
    """A catalogue as it stands."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parts[-3])


def up_to_date(path: Path) -> Catalog:
    """The catalogue with exactly the texts of the code."""
    before = read(path)
    after = Catalog(locale=before.locale, domain="rules")
    for text in marked_texts():
        message = before.get(text)
        after.add(text, message.string if message else "")
    return after


def as_po(catalogue: Catalog) -> bytes:
    """The catalogue as a file has it."""
    file = io.BytesIO()
    write_po(file, catalogue, width=100, no_location=True, omit_header=True)
    return _HEADER.format(language=catalogue.locale).encode() + file.getvalue()


if __name__ == "__main__":
    main()
