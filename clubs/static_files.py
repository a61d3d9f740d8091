"""Where the addresses of style sheets, scripts and pictures come from."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class VersionedStorage(CompressedManifestStaticFilesStorage):
    """File names that change with their content, once `collectstatic` has collected them.

    Before that (a development server, tests) files keep their own names and are found in the apps.
    """

    def stored_name(self, name: str) -> str:
        return str(super().stored_name(name)) if self.hashed_files else name
