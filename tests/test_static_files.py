"""Style sheets and scripts as they are handed out once they have been collected."""

import re
from pathlib import Path
from typing import Final

import pytest
from django.core.management import call_command
from pytest_django import Settings

IMPORT: Final = re.compile(r'\b(?:from|import) "(\.[^"]+)"')
VERSIONED: Final = re.compile(r"\.[0-9a-f]{12}\.js$")


@pytest.fixture
def folder(tmp_path: Path, settings: Settings) -> Path:
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES |= {"staticfiles": {"BACKEND": "clubs.http.static_files.VersionedStorage"}}
    return tmp_path


@pytest.fixture
def collected(folder: Path) -> Path:
    """Without the large files of others."""
    of_others = ["rest_framework", "drf_spectacular_sidecar"]
    call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=of_others)
    return folder


def test_a_script_imports_exactly_the_modules_it_was_made_with(collected: Path) -> None:
    scripts = [
        script
        for app in ("clubs", "scoring", "tournaments")
        for script in (collected / app).rglob("*.js")
        if VERSIONED.search(script.name)
    ]
    imports = [
        (script, address) for script in scripts for address in IMPORT.findall(script.read_text())
    ]
    assert len(imports) > 10
    assert [each for each in imports if not VERSIONED.search(each[1])] == []
    assert [each for each in imports if not (each[0].parent / each[1]).exists()] == []


@pytest.mark.full
def test_what_others_bring_can_be_collected_as_well(folder: Path) -> None:
    call_command("collectstatic", interactive=False, verbosity=0)
    assert (folder / "rest_framework").is_dir()
