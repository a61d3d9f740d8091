"""Storage of static files: names that change with the content."""

from typing import Final

from whitenoise.storage import CompressedManifestStaticFilesStorage

_IMPORTS: Final = (
    (r"""(?P<matched>(?P<word>\b(?:from|import)) "(?P<url>\.[^"]+)";)""", '%(word)s "%(url)s";'),
)
"""The address in the import of a module, and how it is written instead."""


class VersionedStorage(CompressedManifestStaticFilesStorage):
    """File names that change with their content, once `collectstatic` has collected them; also of
    the modules that a script of ours imports.

    Before that (a development server, tests) files keep their own names and are found in the apps.
    """

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        *((f"{app}/*.js", _IMPORTS) for app in ("clubs", "scoring", "tournaments")),
    )
    # A module is named anew only once all that it imports are.
    max_post_process_passes = 20

    def stored_name(self, name: str) -> str:
        return str(super().stored_name(name)) if self.hashed_files else name
