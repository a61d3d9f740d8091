"""docs/access.md says what the code decides."""

from io import StringIO
from pathlib import Path

from django.core.management import call_command

PAGE = Path(__file__).parents[2] / "docs" / "access.md"


def test_the_tables_are_what_the_command_prints() -> None:
    printed = StringIO()
    call_command("access", stdout=printed)
    written = PAGE.read_text(encoding="utf-8").partition("<!-- manage.py access -->\n")[2]
    assert written.strip() == printed.getvalue().strip()
