from typing import Any

from django.db import models


class Versioned(models.Model):
    """A row that counts its changes, so that a change can name the state it was made for.

    Whoever read the row at version 4 writes with `update_if(4, …)`; or, holding a lock that all
    writers of the row take, compares `version` and then calls `save_changes`.
    """

    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        abstract = True

    def update_if(self, version: int, **columns: Any) -> bool:
        """Write these columns if the row is still at this version, and count it up.

        One UPDATE decides, so no lock is needed. Returns whether the row was written.
        """
        columns["version"] = version + 1
        rows = type(self)._default_manager.filter(pk=self.pk, version=version)
        if not rows.update(**columns):
            return False
        for name, value in columns.items():
            setattr(self, name, value)
        return True

    def save_changes(self, *columns: str) -> None:
        """Save these columns and count the version up; for a caller who holds the lock."""
        self.version += 1
        self.save(update_fields=[*columns, "version"])
