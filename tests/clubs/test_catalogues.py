"""The commands that keep and build the catalogues, on a small project of its own."""

import gettext
import os
import shutil
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.core import checks
from django.core.management import call_command
from pytest_django import Settings

from tests.missing import missing

PYTHON = """
from django.utils.translation import gettext as _, ngettext, pgettext
_("Log in as %(name)s")
ngettext("%(count)s table", "%(count)s tables", 2)
pgettext("of cards", "Club")
"""
TEMPLATE = """
<h1>{% translate "Standings" %}</h1>
   {% blocktranslate trimmed %}
     Round {{ number }}
  {% endblocktranslate %}
"""
PURE = """
english = str
NAMES = {"no_trump": english("No trump")}
print(english("Pit"))
"""
DUTCH: dict[object, str | tuple[str, ...]] = {
    "Log in as %(name)s": "Inloggen als %(name)s",
    ("%(count)s table", "%(count)s tables"): ("één tafel", "%(count)s tafels"),
    "Club": "Klaver",
    "Home": "Begin",
}


def test_what_is_the_same_in_english_is_the_same_in_dutch() -> None:
    """Of two apps that say it otherwise the one that Django reads last would be shown by both."""
    said: dict[object, set[object]] = {}
    for path in sorted(Path(settings.BASE_DIR).glob("*/locale/nl/LC_MESSAGES/django.po")):
        for message in read_po(BytesIO(path.read_bytes())):
            if message.id:
                said.setdefault((message.context, message.id), set()).add(message.string)
    assert len(said) > 5000
    assert {english: dutch for english, dutch in said.items() if len(dutch) > 1} == {}


@pytest.fixture
def project(tmp_path: Path, settings: Settings) -> Path:
    """Three apps with empty catalogues, and a package in one of them that knows no Django."""
    if shutil.which("xgettext") is None:
        missing("xgettext", "gettext")
    settings.BASE_DIR = tmp_path
    for folder in ("clubs", "scoring", "scoring/rules", "tournaments"):
        name = "rules" if folder.endswith("rules") else "django"
        path = tmp_path / folder / f"locale/nl/LC_MESSAGES/{name}.po"
        path.parent.mkdir(parents=True)
        _write(path, Catalog("nl"))
    (tmp_path / "clubs" / "words.py").write_text(PYTHON)
    (tmp_path / "scoring" / "rules" / "words.py").write_text(PURE)
    (tmp_path / "templates" / "tournaments").mkdir(parents=True)
    (tmp_path / "templates" / "tournaments" / "page.html").write_text(TEMPLATE)
    (tmp_path / "templates" / "base.html").write_text('{% load i18n %}{% translate "Home" %}')
    call_command("makemessages", verbosity=0)
    return tmp_path


def _write(path: Path, catalogue: Catalog) -> None:
    with path.open("wb") as file:
        write_po(file, catalogue)


def _read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file)


def _texts(project: Path, folder: str, name: str = "django") -> dict[object, object]:
    catalogue = _read(project / folder / f"locale/nl/LC_MESSAGES/{name}.po")
    return {message.id: message.string for message in catalogue if message.id}


def _translate(project: Path) -> None:
    path = project / "clubs/locale/nl/LC_MESSAGES/django.po"
    catalogue = _read(path)
    for message in catalogue:
        if message.id:
            message.string = DUTCH[message.id]
    _write(path, catalogue)


def _built(project: Path, folder: str, name: str = "django") -> gettext.GNUTranslations:
    with (project / folder / f"locale/nl/LC_MESSAGES/{name}.mo").open("rb") as file:
        return gettext.GNUTranslations(file)


def test_texts_of_code_and_templates_go_to_the_catalogue_of_their_app(project: Path) -> None:
    assert _texts(project, "clubs") == {
        "Log in as %(name)s": "",
        ("%(count)s table", "%(count)s tables"): ("", ""),
        "Club": "",
        "Home": "",
    }
    assert _texts(project, "tournaments") == {"Standings": "", "Round %(number)s": ""}
    assert _texts(project, "scoring") == {}


def test_a_package_without_django_has_a_catalogue_of_its_own(project: Path) -> None:
    assert _texts(project, "scoring/rules", "rules") == {"No trump": "", "Pit": ""}


def test_a_second_run_keeps_translations_and_changes_nothing(project: Path) -> None:
    _translate(project)
    call_command("makemessages", verbosity=0)
    files = sorted(project.glob("**/*.po"))
    before = [file.read_bytes() for file in files]
    call_command("makemessages", verbosity=0)

    assert _texts(project, "clubs") == DUTCH
    assert len(files) == 4
    assert [file.read_bytes() for file in files] == before


@pytest.mark.full
def test_a_text_gone_from_the_source_goes_from_the_catalogue(project: Path) -> None:
    (project / "templates" / "tournaments" / "page.html").write_text("")
    (project / "scoring" / "rules" / "words.py").write_text('print(english("Pit"))')
    (project / "tournaments" / "words.py").write_text('print(_("New"))')
    call_command("makemessages", verbosity=0)

    assert _texts(project, "tournaments") == {"New": ""}
    assert _texts(project, "scoring/rules", "rules") == {"Pit": ""}


def test_it_says_how_many_texts_have_no_dutch_yet(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _translate(project)
    call_command("makemessages")

    assert [line for line in capsys.readouterr().out.splitlines() if "to translate" in line] == [
        "scoring/rules/locale/nl/LC_MESSAGES/rules.po: 2 to translate",
        "tournaments/locale/nl/LC_MESSAGES/django.po: 2 to translate",
    ]


def test_the_check_names_what_is_out_of_date_and_changes_nothing(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("makemessages", check=True)
    (project / "clubs" / "more.py").write_text('print(_("New"))')
    (project / "scoring" / "rules" / "words.py").write_text('print(english("Pit"))')

    with pytest.raises(SystemExit):
        call_command("makemessages", check=True)
    assert capsys.readouterr().err == (
        "Out of date, run `make messages`: clubs/locale/nl/LC_MESSAGES/django.po, "
        "scoring/rules/locale/nl/LC_MESSAGES/rules.po\n"
    )
    assert "New" not in _texts(project, "clubs")


def test_every_catalogue_is_built_whatever_its_domain(project: Path) -> None:
    _translate(project)
    output = StringIO()
    call_command("compilemessages", stdout=output)
    clubs = _built(project, "clubs")

    assert output.getvalue() == "4 catalogues built\n"
    assert clubs.gettext("Log in as %(name)s") == "Inloggen als %(name)s"
    assert clubs.ngettext("%(count)s table", "%(count)s tables", 1) == "één tafel"
    assert clubs.ngettext("%(count)s table", "%(count)s tables", 2) == "%(count)s tafels"
    assert clubs.pgettext("of cards", "Club") == "Klaver"
    assert _built(project, "scoring/rules", "rules").gettext("Pit") == "Pit"


def test_a_missing_or_old_translation_is_a_warning(project: Path) -> None:
    def warnings() -> list[str]:
        return [each.msg for each in checks.run_checks() if each.id == "clubs.W001"]

    complaint = "{} translation catalogues are not built, or older than their source."
    assert warnings() == [complaint.format(4)]

    call_command("compilemessages", verbosity=0)
    assert warnings() == []

    source = project / "scoring/locale/nl/LC_MESSAGES/django.po"
    later = source.with_suffix(".mo").stat().st_mtime + 1
    os.utime(source, (later, later))
    assert warnings() == [complaint.format(1)]
