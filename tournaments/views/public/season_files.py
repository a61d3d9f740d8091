"""A season's standing as a list to take away."""

from django.utils.translation import gettext as _

from clubs.exports import ListFile
from scoring.words import pit_word
from tournaments.exports import season_json, season_rows
from tournaments.views.public.season_parts import SeasonStanding


def season_file(asked: SeasonStanding) -> ListFile:
    """The columns that `manage.py standings` writes; a dropped evening in brackets."""
    headings, *rows = season_rows(asked.table)
    labels = {
        "rank": _("Place"),
        "player": _("Name"),
        "total": _("Plain sum"),
        "counted": _("Counts"),
        "evenings": _("Evenings"),
        "average": _("Average"),
        "pits": pit_word(asked.club).capitalize(),
    }
    return ListFile(
        name=f"{asked.club.name} {asked.season.slug} {asked.standing.name}",
        columns={str(heading): labels.get(str(heading), str(heading)) for heading in headings},
        rows=rows,
        objects=season_json(asked.table),
    )
