"""What is not settled in a round: its director sees it, but can close the round anyway."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.paper_check.queries import papers_differing
from tournaments.evenings.workflow import open_claims, unconfirmed_tables
from tournaments.models import Round
from tournaments.standings.queries import board_tables, open_disputes


@dataclass(frozen=True, slots=True)
class RoundWarning:
    """A sentence about what is not settled, and the page about it."""

    words: str
    url: str


def round_warnings(round_: Round) -> list[RoundWarning]:
    """Deals written in two ways, disputed sheets, papers that add up differently, and tables where
    the other side has not confirmed yet."""
    return [*_claims(round_), *_disputes(round_), *_papers(round_), *_unconfirmed(round_)]


def _claims(round_: Round) -> Iterator[RoundWarning]:
    claims = open_claims(round_.evening).filter(deal__sheet__table__round=round_).count()
    if claims:
        words = ngettext(
            "%(n)s deal was written in two ways and is still undecided.",
            "%(n)s deals were written in two ways and are still undecided.",
            claims,
        )
        evening = round_.evening
        url = reverse("evening_claims", args=[evening.club.slug, evening.slug])
        yield RoundWarning(words % {"n": claims}, url)


def _disputes(round_: Round) -> Iterator[RoundWarning]:
    disputes = open_disputes(round_.evening).filter(sheet__table__round=round_)
    for number in sorted({dispute.sheet.table.number for dispute in disputes}):
        words = _("Table %(n)s does not agree with its sheet yet.") % {"n": number}
        yield RoundWarning(words, _at_table("table_sheet", round_, number))


def _papers(round_: Round) -> Iterator[RoundWarning]:
    tables = list(board_tables(round_).prefetch_related("sheet__control_totals"))
    differing = papers_differing(table.sheet for table in tables)
    for table in tables:
        if table.sheet_id in differing:
            words = _("At table %(n)s the paper adds up differently.") % {"n": table.number}
            yield RoundWarning(words, _at_table("table_grid", round_, table.number) + "#control")


def _unconfirmed(round_: Round) -> Iterator[RoundWarning]:
    for number in unconfirmed_tables(round_):
        words = _("At table %(n)s the other side has not confirmed everything.") % {"n": number}
        yield RoundWarning(words, _at_table("table_sheet", round_, number))


def _at_table(page: str, round_: Round, number: int) -> str:
    evening = round_.evening
    return reverse(page, args=[evening.club.slug, evening.slug, round_.number, number])
