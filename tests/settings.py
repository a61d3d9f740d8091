"""The product's settings, with what a test run must have otherwise."""

import atexit
import shutil
import tempfile
from pathlib import Path

from config.settings import *  # noqa: F403
from config.settings import DATABASES

_folder = tempfile.mkdtemp(prefix="klaverclub-test-")
atexit.register(shutil.rmtree, _folder, ignore_errors=True)

STATIC_ROOT = Path(_folder) / "static"
STATIC_ROOT.mkdir()
SECRET_KEY = "only for tests"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
# Static files are looked up when asked for: listing them all would be redone for every test client.
WHITENOISE_AUTOREFRESH = True

# One address asks for a thousand pages and writes a thousand deals, in a minute that may last.
WORK_SECONDS = {"pages": 10**6, "heavy": 10**6, "at_once": 10**6}
TABLE_WRITES = {"link": 10**6, "address": 10**6}

if DATABASES["default"]["ENGINE"] == "clubs.sqlite3":
    # A file: the threads of a live server cannot share a database in memory.
    DATABASES["default"]["TEST"] = {"NAME": str(Path(_folder) / "test.sqlite3")}
    DATABASES["default"]["OPTIONS"] |= {
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
    }
