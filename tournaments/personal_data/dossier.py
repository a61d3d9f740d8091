"""The personal data that tournaments stores about a member, for their dossier."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from django.db.models import Q
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from clubs.audit.trail import trail_lines
from clubs.models import Member
from clubs.privacy.dossier import Cell, DossierSection, keeps
from clubs.text.numbers import money, seat_name
from scoring.display.words import pit_word
from tournaments.models import (
    CompetitorCorrection,
    CompetitorMember,
    CompetitorResult,
    CoupleRule,
    CupWin,
    EntryPerson,
    Evening,
    EveningPair,
    EveningPhoto,
    FeePayment,
    Follower,
    LeaguePlayer,
    LineUpSeat,
    MailReceiver,
    NumberElsewhere,
    Package,
    PastResult,
    PersonCorrection,
    PersonLink,
    Placement,
    PlayOffScore,
    PrizeGiven,
    Rating,
    Registration,
    Release,
)
from tournaments.prizes.giving import prize_title
from tournaments.scoresheets.data import member_events
from tournaments.standings.scores import CORRECTION, WHOLE_EVENING, scores_by_evening

Rows = Sequence[Sequence[Cell]]


@keeps
def evenings_kept(member: Member) -> Iterator[DossierSection]:
    """When they were there, what they paid, where they sat."""
    columns = {
        "evening": _("Evening"),
        "present": _("Present"),
        "absence": _("Absent"),
        "pair": _("Pair"),
        "competitor": _("Pair or team"),
        "paid": _("Entry fee paid"),
        "package": _("With a package"),
    }
    yield DossierSection(
        "evenings", _("On the list of an evening"), columns, _registrations(member)
    )
    columns = {
        "evening": _("Evening"),
        "entry": _("Entry"),
        "name": _("Name"),
        "state": _("State"),
        "town": _("Town"),
        "email": _("E-mail address"),
        "phone": _("Telephone"),
        "remark": _("Remark"),
        "paid": _("Paid"),
    }
    yield DossierSection("entries", _("Entered for an evening"), columns, _entries(member))
    columns = {
        "evening": _("Evening"),
        "round": _("Round"),
        "table": _("Table"),
        "seat": _("Seat"),
        "substitute": _("Substitute"),
    }
    yield DossierSection("places", _("Places in the draw"), columns, _places(member))


@keeps
def results_kept(member: Member) -> Iterator[DossierSection]:
    """Their scores, published results, cups and estimated strength."""
    columns = {
        "evening": _("Evening"),
        "round": _("Round"),
        "score": _("Points"),
        "pits": pit_word(member.club).capitalize(),
        "roem": _("Roem"),
        "nats": _("Nat"),
    }
    yield DossierSection("scores", _("Scores"), columns, _scores(member))
    columns = {"evening": _("Evening"), "absence": _("Absent")}
    yield DossierSection("absences", _("Absences from before"), columns, _past_absences(member))
    columns = {"evening": _("Evening"), "score": _("Points")}
    yield DossierSection(
        "play_offs", _("Extra deals for the first place"), columns, _play_offs(member)
    )
    columns = {
        "about": _("Evening or season"),
        "points": _("Points"),
        "reason": _("Reason"),
    }
    yield DossierSection(
        "corrections", _("Corrections for an evening or a season"), columns, _corrections(member)
    )
    columns = {
        "evening": _("Evening"),
        "release": _("Publication"),
        "name": _("Name"),
        "rank": _("Place"),
        "total": _("Total"),
    }
    yield DossierSection("published", _("In published results"), columns, _published(member))
    columns = {"evening": _("Evening"), "mu": _("Rating"), "sigma": _("Uncertainty")}
    yield DossierSection("ratings", _("Playing strength"), columns, _ratings(member))
    columns = {"cup": _("Cup"), "won_on": _("Won on")}
    yield DossierSection("cups", _("Challenge cups"), columns, _cups(member))
    columns = {"league": _("League"), "team": _("Team"), "name": _("Name")}
    yield DossierSection("leagues", _("Teams in leagues"), columns, _leagues(member))
    columns = {"league": _("League"), "number": _("League number"), "at": _("Confirmed")}
    links = PersonLink.objects.filter(member_uuid=member.uuid).select_related("league", "person")
    numbers = [
        (
            link.league.name,
            link.person.number if link.person else None,
            link.confirmed_at.date().isoformat() if link.confirmed_at else "",
        )
        for link in links
    ]
    numbers += [
        (each.league, each.number, "") for each in NumberElsewhere.objects.filter(member=member)
    ]
    yield DossierSection("league_numbers", _("Numbers in leagues"), columns, numbers)


@keeps
def money_kept(member: Member) -> Iterator[DossierSection]:
    """What they paid, the prizes they got, and the mails they were sent."""
    columns = {
        "season": _("For"),
        "rate": _("What they pay"),
        "paid": _("Paid"),
        "paid_on": _("Paid on"),
        "remark": _("Remark"),
    }
    payments = FeePayment.objects.filter(member=member).select_related("season", "fee_year")
    fees = [
        (
            payment.period.name,
            str(payment.get_rate_display()),
            "" if payment.paid is None else money(payment.paid),
            payment.paid_on.isoformat() if payment.paid_on else "",
            payment.remark,
        )
        for payment in payments.order_by("pk")
    ]
    yield DossierSection("fees", _("Membership fees"), columns, fees)
    columns = {
        "bought_on": _("Paid on"),
        "evenings": _("Evenings"),
        "price": _("Price"),
        "remark": _("Remark"),
    }
    packages = [
        (package.bought_on.isoformat(), package.evenings, money(package.price), package.remark)
        for package in Package.objects.filter(member=member)
    ]
    yield DossierSection("packages", _("Packages of evenings"), columns, packages)
    columns = {"where": _("Won at"), "for": _("For"), "what": _("Prize"), "amount": _("Amount")}
    given = PrizeGiven.objects.filter(member=member).select_related("evening", "season")
    prizes = [
        (
            prize.evening.slug if prize.evening else str(prize.season),
            prize_title(prize.key, member.club),
            prize.what,
            "" if prize.cents is None else money(prize.cents),
        )
        for prize in given
    ]
    yield DossierSection("prizes", _("Prizes"), columns, prizes)
    columns = {"at": _("When"), "subject": _("Subject"), "state": _("What became of it")}
    received = MailReceiver.objects.filter(member=member).select_related("mail").order_by("pk")
    mails = [
        (
            f"{localtime(receiver.mail.made_at):%Y-%m-%d %H:%M}",
            receiver.mail.subject,
            str(receiver.get_state_display()),
        )
        for receiver in received
    ]
    yield DossierSection("mails", _("Mail from the club"), columns, mails)


@keeps
def competitors_kept(member: Member) -> Iterator[DossierSection]:
    """The pairs and teams they are or were in."""
    columns = {
        "name": _("Pair or team"),
        "since": _("From"),
        "until": _("Up to and including"),
        "reserve": _("Reserve"),
    }
    rows = [
        (
            own.competitor.name,
            own.since.isoformat(),
            own.until.isoformat() if own.until else "",
            _("yes") if own.reserve else _("no"),
        )
        for own in CompetitorMember.objects.filter(member=member).select_related("competitor")
    ]
    yield DossierSection("competitors", _("Pairs and teams"), columns, rows)
    theirs = set(member.competitors.values_list("competitor", flat=True))
    if not theirs:
        return
    columns = {
        "evening": _("Evening"),
        "name": _("Pair or team"),
        "round": _("Round"),
        "score": _("Points"),
        "absence": _("Absent"),
    }
    past = _past_with_others(theirs)
    yield DossierSection(
        "competitor_scores", _("Earlier results of pairs and teams"), columns, past
    )
    columns = {
        "season": _("Season"),
        "name": _("Pair or team"),
        "points": _("Points"),
        "reason": _("Reason"),
    }
    corrected = CompetitorCorrection.objects.filter(competitor__in=theirs)
    corrections = [
        (str(given.season), given.competitor.name, given.points, given.reason)
        for given in corrected.select_related("season", "competitor")
    ]
    yield DossierSection(
        "competitor_corrections", _("Corrections of pairs and teams"), columns, corrections
    )
    columns = {
        "evening": _("Evening"),
        "release": _("Publication"),
        "name": _("Pair or team"),
        "rank": _("Place"),
        "total": _("Total"),
    }
    yield DossierSection(
        "competitors_published",
        _("Pairs and teams in published results"),
        columns,
        _published_with_others(member),
    )


@keeps
def wishes_kept(member: Member) -> Iterator[DossierSection]:
    """The people they always play with, or never share a table with."""
    agreed = CoupleRule.objects.filter(Q(one=member) | Q(two=member)).select_related("one", "two")
    columns = {"kind": _("What was agreed"), "other": _("With")}
    rows = [
        (str(rule.get_kind_display()), (rule.two if rule.one == member else rule.one).shown_name)
        for rule in agreed.order_by("pk")
    ]
    yield DossierSection("couples", _("Wishes for the draw"), columns, rows)


@keeps
def followers_kept(member: Member) -> Iterator[DossierSection]:
    """Since when browsers get their results, without whose those are: nobody knows."""
    columns = {"at": _("Followed since")}
    followed = Follower.objects.filter(member=member)
    rows = [(f"{localtime(follower.made_at):%Y-%m-%d %H:%M}",) for follower in followed]
    yield DossierSection("followers", _("Browsers that get their results"), columns, rows)


@keeps
def photos_kept(member: Member) -> Iterator[DossierSection]:
    """The photos that they are in; the pictures themselves are on the pages of those evenings."""
    columns = {"evening": _("Evening"), "people": _("With"), "at": _("Shown since")}
    photos = EveningPhoto.objects.filter(people__member=member).defer("jpeg")
    photos = photos.select_related("evening").prefetch_related("people__member")
    rows = [
        (
            photo.evening.slug,
            ", ".join(
                person.member.shown_name
                for person in photo.people.all()
                if person.member_id != member.pk
            ),
            f"{localtime(photo.shown_at):%Y-%m-%d %H:%M}",
        )
        for photo in photos.order_by("pk")
    ]
    yield DossierSection("photos", _("Photos of winners"), columns, rows)


@keeps
def trail_kept(member: Member) -> Iterator[DossierSection]:
    """What the trail says about them, but not who did it."""
    events = member_events(member).order_by("at", "pk")
    loaded = list(events.select_related("club").prefetch_related("texts"))
    columns = {
        "at": _("When"),
        "what": _("What"),
        "where": _("Where"),
        "reason": _("Why"),
    }
    rows = [
        (f"{localtime(line.at):%Y-%m-%d %H:%M}", line.what, line.where.name, line.reason)
        for line in trail_lines(loaded, reader=member)
    ]
    yield DossierSection("trail", _("What was done"), columns, rows)


def _registrations(member: Member) -> Rows:
    listed = Registration.objects.filter(member=member).select_related("evening", "team")
    pairs = EveningPair.objects.filter(evening__registrations__member=member)
    called = {
        (pair.evening_id, pair.number): pair.competitor.name
        for pair in pairs.select_related("competitor")
    }
    return [
        (
            registration.evening.slug,
            _("yes") if registration.present else _("no"),
            str(registration.get_absence_display()),
            registration.pair,
            ", ".join(names),
            "" if registration.paid is None else money(registration.paid),
            "" if registration.package_id is None else _("yes"),
        )
        for registration in listed.order_by("evening__date", "evening__sequence")
        for pair in [called.get((registration.evening_id, registration.pair or 0))]
        for names in [[name for name in (pair, str(registration.team or "")) if name]]
    ]


def _entries(member: Member) -> Rows:
    people = EntryPerson.objects.filter(member=member).select_related("entry__evening")
    return [
        (
            person.entry.evening.slug,
            person.entry.number,
            person.entry.name or person.name,
            str(person.entry.get_state_display()),
            person.entry.town,
            person.entry.email,
            person.entry.phone,
            person.entry.remark,
            _("yes") if person.entry.paid else _("no"),
        )
        for person in people.order_by("entry__evening__date", "entry__number", "pk")
    ]


def _places(member: Member) -> Rows:
    placed = Placement.objects.filter(member=member).select_related("round__evening", "table")
    return [
        (
            place.round.evening.slug,
            place.round.number,
            place.table.number if place.table else None,
            seat_name(place.seat) if place.seat else str(member.club.get_sit_out_word_display()),
            _("yes") if place.substitute else _("no"),
        )
        for place in placed.order_by("round__evening__date", "round__number", "pk")
    ]


def _scores(member: Member) -> Rows:
    played = Q(rounds__placements__member=member) | Q(past_results__member=member)
    evenings = Evening.objects.filter(played).distinct().order_by("date", "sequence")
    scores = scores_by_evening(list(evenings))
    return [
        (
            evening.slug,
            {WHOLE_EVENING: _("whole evening"), CORRECTION: _("correction")}.get(number, number),
            score.score,
            score.pits,
            score.roem,
            score.nats,
        )
        for evening in evenings
        for number, score in sorted(scores[evening.pk].get(member.pk, {}).items())
    ]


def _past_absences(member: Member) -> Rows:
    absent = PastResult.objects.filter(member=member).exclude(absence="").select_related("evening")
    return [
        (result.evening.slug, str(result.get_absence_display())) for result in absent.order_by("pk")
    ]


def _play_offs(member: Member) -> Rows:
    extra = PlayOffScore.objects.filter(member=member).select_related("evening")
    return [(score.evening.slug, score.score) for score in extra.order_by("pk")]


def _corrections(member: Member) -> Rows:
    given = PersonCorrection.objects.filter(member=member).select_related("evening", "season")
    return [
        (one.evening.slug if one.evening else str(one.season), one.points, one.reason)
        for one in given.order_by("pk")
    ]


def _leagues(member: Member) -> Rows:
    players = LeaguePlayer.objects.filter(member_uuid=member.uuid)
    return [
        (f"{season.league.name}, {season.name}", player.team.name, player.name)
        for player in players.select_related("team__division__season__league")
        for season in [player.team.division.season]
    ] + _line_ups(member)


def _line_ups(member: Member) -> list[tuple[str, str, str]]:
    """In which teams they were to play, also where they are not on the list: each once."""
    related = "line_up__match__home", "line_up__match__away"
    seats = LineUpSeat.objects.filter(member_uuid=member.uuid, substitute=True)
    rows = [
        (f"{season.league.name}, {season.name}", seat.line_up.team.name, seat.name)
        for seat in seats.select_related(
            *related, "line_up__match__day__division__season__league"
        ).order_by("pk")
        for season in [seat.line_up.match.day.division.season]
    ]
    return list(dict.fromkeys(rows))


def _cups(member: Member) -> Rows:
    wins = CupWin.objects.filter(member=member).select_related("cup")
    return [(win.cup.name, win.won_on.isoformat()) for win in wins]


def _published(member: Member) -> Rows:
    releases = Release.objects.filter(evening__club=member.club).select_related("evening")
    return [
        (release.evening.slug, release.number, row["name"], row["rank"], row["total"])
        for release in releases.order_by("evening__date", "evening__sequence", "number")
        for row in release.standings
        if row["member"] == member.pk
    ]


def _past_with_others(theirs: Collection[int]) -> Rows:
    past = CompetitorResult.objects.filter(competitor__in=theirs)
    past = past.select_related("evening", "competitor")
    return [
        (
            result.evening.slug,
            result.competitor.name,
            result.round or _("whole evening"),
            result.score,
            str(result.get_absence_display()),
        )
        for result in past.order_by("evening__date", "evening__sequence", "round", "pk")
    ]


def _published_with_others(member: Member) -> Rows:
    """The lines of the pairs and teams that they played for when those were published."""
    releases = Release.objects.filter(evening__club=member.club).select_related("evening")
    return [
        (release.evening.slug, release.number, line["name"], line["rank"], line["total"])
        for release in releases.order_by("evening__date", "evening__sequence", "number")
        for row in release.standings
        if row["member"] == member.pk
        for line in release.competitors or ()
        if _is_line_of(line, row)
    ]


def _is_line_of(line: Mapping[str, Any], row: Mapping[str, Any]) -> bool:
    if line["number"] is not None:
        return bool(row.get("pair")) and row["pair"]["number"] == line["number"]
    return line["competitor"] is not None and row.get("team") == line["competitor"]


def _ratings(member: Member) -> Rows:
    rated = Rating.objects.filter(member=member).select_related("evening")
    return [
        (rating.evening.slug, round(rating.mu, 2), round(rating.sigma, 2))
        for rating in rated.order_by("evening__date", "evening__sequence")
    ]
