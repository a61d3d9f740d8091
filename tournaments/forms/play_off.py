"""The extra deals for the first place, as a form."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from tournaments.queries import StandingRow
from tournaments.services.play_off import MOST_POINTS


class PlayOffForm(forms.Form):
    """A figure for each of those who share the first place: what the extra deals gave him."""

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        rows: Sequence[StandingRow],
        written: Mapping[int, int] | None = None,
    ) -> None:
        super().__init__(data)
        self.rows = rows
        for row in rows:
            self.fields[_field(row)] = forms.IntegerField(
                label=row.name,
                min_value=-MOST_POINTS,
                max_value=MOST_POINTS,
                initial=(written or {}).get(row.member_id),
                error_messages={"required": _("Write what %(name)s scored.") % {"name": row.name}},
                widget=forms.TextInput(
                    attrs={"inputmode": "numeric", "size": 6, "autocomplete": "off"}
                ),
            )

    @property
    def people(self) -> Iterator[forms.BoundField]:
        """The figure of each of them, in order of the standing."""
        return (self[_field(row)] for row in self.rows)

    @property
    def is_decided(self) -> bool:
        """Whether the extra deals were written and one of them is first."""
        return len({row.rank for row in self.rows}) > 1 and self.rows[1].rank > 1

    def scores(self) -> dict[int, int]:
        """Points by member's id; the form must be valid."""
        return {row.member_id: self.cleaned_data[_field(row)] for row in self.rows}


def _field(row: StandingRow) -> str:
    return f"extra_{row.member_id}"
