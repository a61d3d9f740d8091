"""The entry point of the command `klaverclub`: it may name what all the apps have."""

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from clubs.launch.command import Program, run


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve this computer's club; returns the exit status."""
    program = Program(application=_application, before_migrating=_copy_in_the_chosen_folder)
    return run(program, sys.argv[1:] if arguments is None else arguments)


def _application() -> Any:
    # Not before the database is up to date: it begins to look for work.
    return import_module("config.wsgi").application


def _copy_in_the_chosen_folder() -> str:
    from tournaments.copies.services import folder_copy_before_migrating

    return folder_copy_before_migrating()


if __name__ == "__main__":
    sys.exit(main())
