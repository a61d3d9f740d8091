"""The command that keeps the Dutch catalogues, on a small project of its own."""

import gettext
import json
from io import StringIO
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from django.core.management import CommandError, call_command
from pytest_django import Settings

import clubs

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
DUTCH = {
    "Log in as %(name)s": "Inloggen als %(name)s",
    "%(count)s table": ["één tafel", "%(count)s tafels"],
    "of cards\x04Club": "Klaver",
    "Standings": "Stand",
    "Round %(number)s": "Ronde %(number)s",
}


@pytest.fixture
def project(tmp_path: Path, settings: Settings) -> Path:
    settings.BASE_DIR = tmp_path
    (tmp_path / "clubs").mkdir()
    (tmp_path / "clubs" / "words.py").write_text(PYTHON)
    (tmp_path / "templates" / "tournaments").mkdir(parents=True)
    (tmp_path / "templates" / "tournaments" / "page.html").write_text(TEMPLATE)
    (tmp_path / "templates" / "base.html").write_text('{% load i18n %}{% translate "Home" %}')
    return tmp_path


def _messages(**options: object) -> str:
    output = StringIO()
    call_command("messages", stdout=output, stderr=output, **options)
    return output.getvalue()


def _fill(project: Path, dutch: dict[str, object]) -> str:
    file = project / "dutch.json"
    file.write_text(json.dumps(dutch))
    return _messages(fill=file)


def _compiled(project: Path, app: str) -> gettext.GNUTranslations:
    path = project / app / "locale/nl/LC_MESSAGES/django.mo"
    with path.open("rb") as file:
        return gettext.GNUTranslations(file)


def test_texts_are_found_in_code_and_templates_and_belong_to_their_app(project: Path) -> None:
    assert json.loads(_messages(missing="clubs")) == {
        "Log in as %(name)s": "",
        "%(count)s table": ["", ""],
        "of cards\x04Club": "",
        "Home": "",
    }
    assert json.loads(_messages(missing="tournaments")) == {"Standings": "", "Round %(number)s": ""}
    assert json.loads(_messages(missing="scoring")) == {}


def test_filled_texts_are_compiled_and_pass_the_check(project: Path) -> None:
    _fill(project, {**DUTCH, "Home": "Begin"})
    clubs = _compiled(project, "clubs")

    assert clubs.gettext("Log in as %(name)s") == "Inloggen als %(name)s"
    assert clubs.ngettext("%(count)s table", "%(count)s tables", 1) == "één tafel"
    assert clubs.ngettext("%(count)s table", "%(count)s tables", 2) == "%(count)s tafels"
    assert clubs.pgettext("of cards", "Club") == "Klaver"
    assert _compiled(project, "tournaments").gettext("Standings") == "Stand"
    assert _messages(check=True) == ""


def test_a_second_update_changes_no_byte(project: Path) -> None:
    _fill(project, dict(DUTCH))
    files = sorted(project.glob("*/locale/nl/LC_MESSAGES/*"))
    before = [file.read_bytes() for file in files]
    _messages()

    assert len(files) == 6
    assert [file.read_bytes() for file in files] == before


def test_a_text_gone_from_the_source_goes_from_the_catalogue(project: Path) -> None:
    _fill(project, dict(DUTCH))
    (project / "templates" / "tournaments" / "page.html").write_text("")
    _messages()

    assert _compiled(project, "tournaments").gettext("Standings") == "Standings"


def test_translations_of_unknown_texts_are_named_and_the_others_kept(project: Path) -> None:
    with pytest.raises(CommandError, match="Nowhere"):
        _fill(project, {"Nowhere": "Nergens", "Home": "Begin"})

    assert _compiled(project, "clubs").gettext("Home") == "Begin"


@pytest.mark.parametrize(
    ("dutch", "complaint"),
    [
        ({}, "clubs: not translated: 'Home'"),
        (
            {"Home": "Begin", "Log in as %(name)s": "Inloggen"},
            "clubs: other placeholders than the English: 'Log in as %(name)s'",
        ),
    ],
)
def test_the_check_names_what_is_wrong(
    project: Path, dutch: dict[str, object], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _fill(project, {**DUTCH, **dutch})

    with pytest.raises(SystemExit):
        call_command("messages", check=True)
    assert capsys.readouterr().err == f"{complaint}\n"


def test_the_check_notices_a_new_text_and_a_stale_compiled_file(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _fill(project, {**DUTCH, "Home": "Begin"})
    (project / "clubs/locale/nl/LC_MESSAGES/django.mo").write_bytes(b"")
    (project / "scoring").mkdir(exist_ok=True)
    (project / "scoring" / "new.py").write_text('_("New")')

    with pytest.raises(SystemExit):
        call_command("messages", check=True)
    assert capsys.readouterr().err.splitlines() == [
        "clubs: django.mo is out of date",
        "scoring: django.po is out of date",
        "scoring: not translated: 'New'",
    ]


def test_the_english_months_are_compiled_as_they_are_written() -> None:
    folder = Path(clubs.__file__).parent / "locale" / "en" / "LC_MESSAGES"
    with (folder / "django.po").open("rb") as words:
        written = {one.id: one.string for one in read_po(words) if one.id}
    with (folder / "django.mo").open("rb") as compiled:
        english = gettext.GNUTranslations(compiled)
    assert {month: english.gettext(str(month)) for month in written} == written
