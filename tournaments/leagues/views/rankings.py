"""Pages of numbers and rankings: for everybody, for who has a link, for clubs and for leaders."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from clubs.access.permissions import actor_of, desk_view
from clubs.accounts.services import mail_goes_out
from clubs.files.exports import ListFile, list_response
from clubs.http.network import absolute_url
from clubs.http.pages import ConfirmedAction, typed
from clubs.models import Club, Member
from clubs.text.errors import DomainError
from clubs.text.numbers import number, whole_number
from tournaments.evenings.pages import refusals_shown
from tournaments.leagues.files import ranking_pdf
from tournaments.leagues.forms import PersonForm, RankingDayForm, RankingForm
from tournaments.leagues.people import (
    HOLDER,
    club_people,
    link_find,
    link_path,
    nobody,
    people_elsewhere,
    people_shown,
    person_code,
    person_confirm,
    person_link_end,
    person_link_mail,
    person_link_make,
    person_number_give,
    person_number_take_back,
)
from tournaments.leagues.permissions import (
    CONFIRM_NUMBER,
    MAKE_LEAGUE,
    find_list,
    find_person,
    find_ranking,
    find_ranking_to_run,
    leader_view,
    league_view,
)
from tournaments.leagues.queries import leagues_of_club
from tournaments.leagues.ranked_results import (
    Counted,
    RankingRow,
    person_results,
    ranked_families,
    ranking_on,
)
from tournaments.leagues.rankings import (
    ShownRow,
    entered_evenings,
    latest_lists,
    list_rows,
    places_of,
    ranked_evening_enter,
    ranked_evening_take_back,
    ranking_publish,
    ranking_seen,
    ranking_write,
    result_value,
    shown_rows,
    shown_value,
)
from tournaments.leagues.texts import ranking_words
from tournaments.leagues.views.league import asked, read_or_write, saved, shown
from tournaments.models import (
    Evening,
    League,
    LeagueRanking,
    PersonLink,
    RankingList,
)
from tournaments.printing.views import pdf_answer

# For everybody.


@league_view
@require_safe
def league_rankings(request: HttpRequest, league: League) -> HttpResponse:
    """The rankings of a league, each with its newest official list."""
    newest = {made.ranking_id: made for made in latest_lists(league).defer("rows", "rule")}
    rankings = [(ranking, newest.get(ranking.pk)) for ranking in league.rankings.all()]
    context = {"league": league, "rankings": rankings}
    return render(request, "tournaments/leagues/rankings.html", context)


@league_view
@require_safe
def league_ranking(request: HttpRequest, league: League, ranking: str) -> HttpResponse:
    """The newest official list of a ranking."""
    found = find_ranking(league, ranking)
    return _list_page(request, found, found.lists.first())


@league_view
@require_safe
def league_ranking_list(
    request: HttpRequest, league: League, ranking: str, number: int
) -> HttpResponse:
    """One official list of a ranking."""
    found = find_ranking(league, ranking)
    return _list_page(request, found, find_list(found, number))


def _list_page(
    request: HttpRequest, ranking: LeagueRanking, made: RankingList | None
) -> HttpResponse:
    if made is not None:
        # Its words are those of the rule it was made by.
        ranking = _as_it_was(ranking, made)
    rows = shown_rows(ranking.league, ranking, list_rows(made) if made else [])
    placed = [row for row in rows if row.row.place is not None]
    if made and (file := list_response(request, lambda: _file(ranking, made, placed))):
        return file
    context = {
        "league": ranking.league,
        "ranking": ranking,
        "list": made,
        "rows": placed,
        "short": [row for row in rows if row.row.place is None],
        "words": ranking_words(ranking),
        "lists": ranking.lists.defer("rows", "rule"),
    }
    return render(request, "tournaments/leagues/ranking.html", context)


def _as_it_was(ranking: LeagueRanking, made: RankingList) -> LeagueRanking:
    for column, value in made.rule.items():
        setattr(ranking, column, value)
    return ranking


def _file(ranking: LeagueRanking, made: RankingList, rows: Sequence[ShownRow]) -> ListFile:
    columns = {
        "place": _("Place"),
        "number": _("Number"),
        "name": _("Name"),
        "value": _("Value"),
        "rounds": _("Rounds"),
    }
    return ListFile(
        name=f"{ranking.slug}-{made.on.isoformat()}",
        columns=columns,
        rows=[
            (row.row.place, row.number, row.name, row.row.figure, row.row.rounds) for row in rows
        ],
    )


@league_view
@require_safe
def league_ranking_pdf(
    request: HttpRequest, league: League, ranking: str, number: int
) -> HttpResponse:
    """An official list on paper."""
    found = find_ranking(league, ranking)
    made = find_list(found, number)
    found = _as_it_was(found, made)
    rows = shown_rows(league, found, list_rows(made))
    lines = [
        (str(row.row.place), row.name, "" if row.number is None else str(row.number), row.value)
        for row in rows
        if row.row.place is not None
    ]
    paper = ranking_pdf(found, made, lines, ranking_words(found))
    return pdf_answer(paper, league, found.slug, made.on.isoformat())


@dataclass(frozen=True, slots=True)
class ShownPlace:
    """Where somebody stands in an official list, and of what that is made."""

    made: RankingList
    row: RankingRow
    value: str
    results: Sequence[tuple[Counted, str]]


@league_view
@require_safe
def league_person(request: HttpRequest, league: League, person: int) -> HttpResponse:
    """Somebody over the clubs: results, and each place in an official list explained. Who is hidden
    at one of their clubs has no page."""
    found = find_person(league, person)
    uuid = str(found.uuid)
    seen = people_shown(league, [uuid]).get(uuid, nobody())
    if seen.number is None:
        raise Http404
    places = [
        ShownPlace(
            place.made,
            place.row,
            shown_value(place.made.rule["system"], place.row),
            [
                (result, result_value(place.made.rule["system"], result))
                for result in sorted(place.row.results, key=lambda it: it.date, reverse=True)
            ],
        )
        for place in places_of(uuid, latest_lists(league))
    ]
    context = {
        "league": league,
        "person": seen,
        "places": places,
        "results": [
            (result, number(result.figure, 2), discipline)
            for result, discipline in person_results(league, uuid)
        ],
    }
    return render(request, "tournaments/leagues/person.html", context)


# For who has a link.


number_view = partial(league_view, needed=CONFIRM_NUMBER)


@never_cache
@number_view
@read_or_write
def league_person_link(request: HttpRequest, league: League, uuid: UUID, code: str) -> HttpResponse:
    """The page of somebody's own link: it asks for a number, or says which it is. A page that is
    only looked at changes nothing."""
    link = _own_link(league, uuid, code)
    form = PersonForm(typed(request))

    def confirm() -> None:
        given = form.cleaned_data
        person_confirm(link=link, number=given["number"], code=given["code"], actor=HOLDER)

    if saved(form, confirm):
        messages.success(request, _("The league knows you now."))
        return redirect(link_path(link))
    member = Member.objects.filter(uuid=link.member_uuid).select_related("club").first()
    if member is None:
        raise Http404
    context = {
        "league": league,
        "link": link,
        "form": form,
        "member": member,
        "code": person_code(link.person) if link.person else "",
        "end_url": reverse("league_person_end", args=[league.slug, link.uuid, code]),
        "shown": people_shown(league, [str(link.person.uuid)]).get(str(link.person.uuid))
        if link.person
        else None,
    }
    status = 422 if form.is_bound and form.errors else 200
    return render(request, "tournaments/leagues/person_link.html", context, status=status)


def _own_link(league: League, uuid: UUID, code: str) -> PersonLink:
    link = link_find(league, uuid, code)
    if link is None:
        raise Http404
    return link


@never_cache
@number_view
@read_or_write
def league_person_end(request: HttpRequest, league: League, uuid: UUID, code: str) -> HttpResponse:
    """Ask, then have the league know somebody no longer."""
    link = _own_link(league, uuid, code)

    def act() -> str:
        person_link_end(link=link, actor=HOLDER)
        return _("The league no longer knows you.")

    confirmation = ConfirmedAction(
        title=_("No longer be known to %s?") % league.name,
        text=_(
            "Your results at this club then count no more for the rankings. Lists that were"
            " published keep the place, without your name if this is your only club."
        ),
        yes=_("Yes, end it"),
        back_url=link_path(link),
        act=act,
        next_url=reverse("league_rankings", args=[league.slug]),
    )

    def page(*, status: int, **given: object) -> HttpResponse:
        template = "tournaments/leagues/person_end.html"
        return render(request, template, {"league": league, **given}, status=status)

    return confirmation.respond(request, page)


# For a club in the league: who of it is known, and which evenings count.


@desk_view(MAKE_LEAGUE)
@read_or_write
def club_league_people(request: HttpRequest, club: Club, league: str) -> HttpResponse:
    """The members of a club in a league with their links, and the evenings that count for the
    rankings; a POST makes, mails or ends a link, or enters an evening or takes it back."""
    found = next((known for known in leagues_of_club(club) if known.slug == league), None)
    if found is None:
        raise Http404
    if request.method == "POST":
        try:
            said = _club_act(request, club, found)
        except DomainError as error:
            messages.error(request, error.message)
        else:
            messages.success(request, said)
        return redirect("club_league_people", club.slug, found.slug)
    people = club_people(found, club)
    others = Member.objects.of(club).active().filter(erased_at=None).by_surname()
    listed = {person.member.pk for person in people}
    context = {
        "club": club,
        "section": "settings",
        "league": found,
        "people": [
            (person, absolute_url(club, person.address) if person.link else "") for person in people
        ],
        "others": [member for member in others if member.pk not in listed],
        "mails": mail_goes_out(),
        "evenings": entered_evenings(found, club),
    }
    return render(request, "tournaments/leagues/club_people.html", context)


def _club_act(request: HttpRequest, club: Club, league: League) -> str:
    actor, do = actor_of(request), request.POST.get("do", "")
    if do in ("enter", "take_back"):
        evening = get_object_or_404(
            Evening.objects.of(club).filter(state=Evening.State.CLOSED),
            pk=whole_number(request.POST.get("evening", ""), otherwise=-1),
        )
        if do == "enter":
            ranked_evening_enter(league=league, evening=evening, actor=actor)
            return _("The evening counts for the rankings.")
        ranked_evening_take_back(league=league, evening=evening, actor=actor)
        return _("The evening counts for the rankings no more.")
    member = get_object_or_404(
        Member.objects.of(club), pk=whole_number(request.POST.get("member", ""), otherwise=-1)
    )
    if do == "end":
        link = league.person_links.filter(member_uuid=member.uuid).first()
        if link:
            person_link_end(link=link, actor=actor)
        return _("The link of %s has been ended.") % member.desk_name
    link = person_link_make(league=league, member=member, actor=actor)
    if do == "mail" and member.email and mail_goes_out():
        person_link_mail(link=link, member=member, club=club)
        return _("The link is on its way to %s.") % member.desk_name
    return _("The link of %s is there. Hand it out to them only.") % member.desk_name


# For the leaders of the league.


@leader_view
@read_or_write
def rankings_desk(request: HttpRequest, league: League) -> HttpResponse:
    """The rankings of the league, and a form for a new one."""
    made: list[LeagueRanking] = []
    form = _ranking_form(request, league, LeagueRanking(league=league, version=0))

    def make() -> None:
        made.append(_written(request, league, form, None))

    if saved(form, make):
        messages.success(request, _("The ranking has been made. Look at it before you publish."))
        return redirect("ranking_desk", league.slug, made[0].pk)
    rankings = league.rankings.all()
    people = people_elsewhere(league)
    return shown(request, "rankings_desk.html", league, form=form, rankings=rankings, people=people)


def _ranking_form(request: HttpRequest, league: League, ranking: LeagueRanking) -> RankingForm:
    families = sorted(ranked_families(league) - {""})
    return RankingForm(typed(request), instance=ranking, families=families)


def _written(
    request: HttpRequest, league: League, form: RankingForm, ranking: LeagueRanking | None
) -> LeagueRanking:
    rule = dict(form.cleaned_data)
    return ranking_write(
        league=league,
        name=rule.pop("name"),
        version=rule.pop("version") or 0,
        rule=rule,
        ranking=ranking,
        actor=actor_of(request),
    )


@leader_view
@require_POST
def league_number_give(request: HttpRequest, league: League) -> HttpResponse:
    """A number for somebody of a club on another server."""
    with refusals_shown(request):
        person = person_number_give(league=league, actor=actor_of(request))
        said = _("Number %(n)s with code %(code)s: tell both to whom it is for, and nobody else.")
        messages.success(request, said % {"n": person.number, "code": person_code(person)})
    return redirect(f"{reverse('rankings_desk', args=[league.slug])}#people")


@leader_view
@read_or_write
def league_number_take_back(request: HttpRequest, league: League, person: int) -> HttpResponse:
    """Ask, then know somebody of clubs on other servers no longer."""
    found = find_person(league, person)

    def act() -> str:
        person_number_take_back(person=found, actor=actor_of(request))
        return _("Number %(n)s is nobody's any more.") % {"n": found.number}

    back = reverse("rankings_desk", args=[league.slug])
    return asked(
        request,
        league,
        ConfirmedAction(
            title=_("Take number %(n)s back?") % {"n": found.number},
            text=_(
                "The results with it count no more for the rankings. Lists that were published keep"
                " the place, without the name. The number is not given again."
            ),
            yes=_("Yes, take it back"),
            back_url=back,
            act=act,
            next_url=back,
        ),
    )


@leader_view
@read_or_write
def ranking_desk(request: HttpRequest, league: League, ranking_pk: int) -> HttpResponse:
    """The rule of a ranking."""
    found = find_ranking_to_run(league, ranking_pk)
    form = _ranking_form(request, league, found)
    if saved(form, lambda: _written(request, league, form, found)):
        messages.success(request, _("The ranking is saved."))
        return redirect("ranking_preview", league.slug, found.pk)
    stands = league.rankings.get(pk=ranking_pk)
    return shown(request, "ranking_desk.html", league, form=form, ranking=stands)


@leader_view
@read_or_write
def ranking_preview(request: HttpRequest, league: League, ranking_pk: int) -> HttpResponse:
    """The ranking as it would be published, and the button that publishes it."""
    found = find_ranking_to_run(league, ranking_pk)
    today = timezone.localdate()
    form = RankingDayForm(
        typed(request) if request.method == "POST" else request.GET or None, initial={"on": today}
    )

    def publish() -> None:
        ranking_publish(
            ranking=found,
            on=form.cleaned_data["on"],
            seen=form.cleaned_data["seen"],
            actor=actor_of(request),
        )

    if request.method == "POST" and saved(form, publish):
        messages.success(request, _("The list has been published. It can no longer change."))
        return redirect("league_ranking", league.slug, found.slug)
    day_is_known = form.is_bound and (form.is_valid() or "on" in form.cleaned_data)
    on: dt.date = form.cleaned_data["on"] if day_is_known else today
    standing = ranking_on(found, on)
    rows = shown_rows(league, found, standing)
    return shown(
        request,
        "ranking_preview.html",
        league,
        form=form,
        ranking=found,
        on=on,
        seen=ranking_seen(found, on, standing),
        rows=[row for row in rows if row.row.place is not None],
        short=[row for row in rows if row.row.place is None],
        words=ranking_words(found),
        last=found.lists.defer("rows", "rule").first(),
    )
