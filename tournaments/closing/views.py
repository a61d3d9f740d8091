"""Desk pages at the end of an evening: close, publish, publish again, reopen, play off."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from clubs.access.permissions import actor_of, desk_view
from clubs.http.pages import ConfirmedAction
from clubs.models import Club
from scoring.display.words import pit_word
from tournaments.closing.services import MOST_POINTS, evening_close, evening_reopen, play_off_write
from tournaments.evenings.desk_pages import (
    ReasonForm,
    confirm,
    evening_url,
    find_evening,
    refusals_shown,
    show_evening,
    to_evening,
)
from tournaments.evenings.permissions import CLOSE, PLAY_OFF, PUBLISH, REOPEN
from tournaments.evenings.workflow import evening_progress, next_step, open_claims
from tournaments.models import Evening, Release, Round
from tournaments.prizes.cups import CupSuggestion, cups_after_evening, cups_of_former_winners
from tournaments.prizes.giving import PrizeLine, evening_prizes
from tournaments.releases.queries import Move, moves_of
from tournaments.releases.services import (
    correction_publish,
    release_changes,
    release_is_current,
    stale_release,
)
from tournaments.standings.queries import (
    StandingRow,
    evening_standings,
    open_disputes,
    play_off_rows,
    unsplit_tables,
)
from tournaments.standings.texts import unsplit_words

TOP = 3


class PlayOffForm(forms.Form):
    """The extra-deal score of each person who shares first place."""

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
        """The field of each person, in order of the standing."""
        return (self[_field(row)] for row in self.rows)

    @property
    def is_decided(self) -> bool:
        """Whether the extra deals were written and broke the tie."""
        return len({row.rank for row in self.rows}) > 1 and self.rows[1].rank > 1

    def scores(self) -> dict[int, int]:
        """Points by member's id; the form must be valid."""
        return {row.member_id: self.cleaned_data[_field(row)] for row in self.rows}


def _field(row: StandingRow) -> str:
    return f"extra_{row.member_id}"


@desk_view(CLOSE)
@require_http_methods(["GET", "POST"])
def evening_close_page(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Show what is missing and who won; closing publishes the result. Closing twice is harmless."""
    evening = find_evening(club, evening_slug)
    if request.method == "POST":
        if evening.state != Evening.State.CLOSED:
            with refusals_shown(request):
                evening_close(evening_id=evening.pk, actor=actor_of(request))
                messages.success(request, _("The evening is closed and the result is published."))
        return to_evening("evening_close", evening)
    return _show(request, evening)


@desk_view(PUBLISH)
@require_POST
def release_publish_page(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Publish the standings once more, after a correction; unchanged standings are left alone."""
    evening = find_evening(club, evening_slug)
    form = ReasonForm(request.POST)
    last = evening.releases.first()
    if evening.state != Evening.State.CLOSED or last is None or release_is_current(last):
        messages.info(request, _("The published result is up to date: there is nothing to do."))
        return to_evening("evening_close", evening)
    if not form.is_valid():
        return _show(request, evening, form=form)
    with refusals_shown(request):
        release = correction_publish(evening=evening, reason=form.given, actor=actor_of(request))
        messages.success(request, _("Published: result number %(n)s.") % {"n": release.number})
    return to_evening("evening_close", evening)


@desk_view(REOPEN)
@require_http_methods(["GET", "POST"])
def evening_reopen_page(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Open a closed evening again."""
    evening = find_evening(club, evening_slug)
    close_url = evening_url("evening_close", evening)

    def act() -> str | None:
        if evening.state == Evening.State.RUNNING:
            return None
        evening_reopen(evening_id=evening.pk, actor=actor_of(request))
        return _("The evening is open again.")

    confirmation = ConfirmedAction(
        title=_("Open this evening again?"),
        text=_(
            "You can then open a round again, or play another one. What was published stays "
            "as it was published until you close the evening once more."
        ),
        yes=_("Open the evening again"),
        back_url=close_url,
        act=act,
        next_url=close_url,
    )
    return confirm(request, evening, confirmation)


@desk_view(PLAY_OFF)
@require_POST
def play_off(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Write the scores of the extra deals for first place."""
    evening = find_evening(club, evening_slug)
    form = _play_off_form(evening, request.POST)
    if not form.is_valid():
        return _show(request, evening, play_off=form)
    with refusals_shown(request):
        play_off_write(evening_id=evening.pk, scores=form.scores(), actor=actor_of(request))
        messages.success(request, _("The extra deals have been saved."))
    return to_evening("evening_close", evening)


def _show(
    request: HttpRequest,
    evening: Evening,
    form: ReasonForm | None = None,
    play_off: PlayOffForm | None = None,
) -> HttpResponse:
    progress = evening_progress(evening)
    rows = evening_standings(evening)
    prizes = evening_prizes(evening, rows)
    releases = list(evening.releases.select_related("user"))
    stale = stale_release(evening)
    closed = evening.state == Evening.State.CLOSED
    return show_evening(
        request,
        "closing/close.html",
        evening,
        progress=progress,
        status=422 if form or play_off else 200,
        next_step=next_step(progress),
        played=[r for r in progress.rounds if r.state == Round.State.CLOSED],
        unplayed=evening.rounds_planned - len(progress.rounds),
        waiting=[r for r in progress.rounds if r.state != Round.State.CLOSED],
        disputes=list(open_disputes(evening)),
        claims=list(open_claims(evening)),
        directs=True,
        prizes=_short(prizes),
        unsplit=unsplit_words(unsplit_tables(evening), pit_word(evening.club)),
        more_prizes=len(prizes) - len(_short(prizes)),
        cups=_cups(evening, rows),
        lost_cups=cups_of_former_winners(releases, _winners(rows)) if closed else [],
        rows=rows,
        releases=releases,
        changed=_changed(releases[0]) if releases else [],
        earlier=[(release, _changed(release)) for release in releases[closed:]],
        stale_release=stale,
        moves=moves_of(release_changes(stale), public=False) if stale else [],
        form=form or play_off,
        play_off=play_off or _play_off_form(evening),
        republish_form=form or ReasonForm(),
    )


def _cups(evening: Evening, rows: list[StandingRow]) -> list[CupSuggestion]:
    """The challenge cups that the winner may have won; none before the evening is closed."""
    if evening.state != Evening.State.CLOSED:
        return []
    return cups_after_evening(evening, _winners(rows))


def _winners(rows: list[StandingRow]) -> list[int]:
    return [row.member_id for row in rows if row.rank == 1]


def _short(lines: list[PrizeLine]) -> list[PrizeLine]:
    """The prizes without the places below the first three, which the list to read out has."""
    return [line for line in lines if line.place is None or line.place <= TOP]


def _changed(release: Release) -> list[Move]:
    return moves_of(release.changes, public=False)


def _play_off_form(evening: Evening, data: QueryDict | None = None) -> PlayOffForm:
    """The form of the extra deals, without fields if nobody shares first place."""
    rows = play_off_rows(evening)
    scores = evening.play_off_scores.filter(member__in=[row.member_id for row in rows])
    written = dict(scores.values_list("member_id", "score")) if rows else {}
    return PlayOffForm(data, rows=rows, written=written)
