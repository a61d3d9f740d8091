"""What erasing a person, and merging a guest with a member, do in tournaments."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from functools import partial
from itertools import combinations, count

from django.db import transaction
from django.db.models import Exists, F, Model, OuterRef, Q, QuerySet
from django.dispatch import receiver
from django.utils.formats import date_format
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from clubs.audit.services import texts_erase
from clubs.merges.services import MergeHook, MergeLog, Noted, hook_register
from clubs.models import AuditText, Club, Member
from clubs.privacy.erasing import (
    Identifiers,
    erasing_considered,
    member_erasing,
    own_texts_searched,
)
from clubs.text.errors import DomainError
from clubs.text.names import PREFIXES, name_key, plain_key
from scoring.audit.trail import remarks_erase
from scoring.models import Scoresheet, Seat
from tournaments.entries.services import entries_forget
from tournaments.evenings.services import revision_bump
from tournaments.following.services import followers_hand_over
from tournaments.leagues.erasing import leagues_forget
from tournaments.leagues.people import people_forget
from tournaments.models import (
    Competitor,
    CompetitorCorrection,
    CompetitorMember,
    Copy,
    CopyPiece,
    CoupleRule,
    CupWin,
    DeletedEvening,
    EntryPerson,
    Evening,
    EveningPhoto,
    FeePayment,
    FolderPlay,
    Follower,
    LeaguePlayer,
    LeagueSeason,
    LineUpSeat,
    MemberMail,
    NumberElsewhere,
    Package,
    PastResult,
    PersonCorrection,
    PersonLink,
    PhotoPerson,
    Placement,
    PlayOffScore,
    PotEntry,
    PrizeGiven,
    Rating,
    Registration,
    Release,
    Round,
    SeasonFile,
    SeasonRule,
    SheetPhoto,
)
from tournaments.photos.services import photos_of_hidden_people_go
from tournaments.prizes.giving import scheme_of
from tournaments.ratings.services import ratings_follow
from tournaments.registration.pairs import couple_rules_hand_over, pair_hand_over
from tournaments.standings.summaries import summary_store

_EVENING_OF_SEAT = "sheet__table__round__evening"
_BY_EVENING: Sequence[tuple[type[Model], str, str]] = (
    (Registration, "member", "evening"),
    (PastResult, "member", "evening"),
    (Placement, "member", "round__evening"),
    (PlayOffScore, "member", "evening"),
    (PersonCorrection, "member", "evening"),
    (Rating, "member", "evening"),
    (PhotoPerson, "member", "photo__evening"),
    (PrizeGiven, "member", "evening"),
    (Seat, "member", _EVENING_OF_SEAT),
    (Seat, "counts_for", _EVENING_OF_SEAT),
)
"""The models that belong to a person on an evening: the person's field, the path to the evening."""


class EveningsFollow(MergeHook):
    """The guest's evenings, cups and agreements become the member's."""

    def merge(self, log: MergeLog) -> None:
        """Raises DomainError `merge_both_played` if both were at the same evening."""
        _drop_absent(log)
        log.evenings = sorted(evenings_of(log.guest))
        if evenings_of(log.member).intersection(log.evenings):
            raise DomainError(
                "merge_both_played",
                _("%(guest)s and %(member)s were on the list of the same evening.")
                % {"guest": log.guest.name, "member": log.member.desk_name},
            )
        _money_hand_over(log)
        for model, field, _where in _BY_EVENING:
            log.move(model, field)
        photos_of_hidden_people_go(log.member)
        _cups_hand_over(log)
        _entries_hand_over(log)
        followers_hand_over(log)
        couple_rules_hand_over(log)
        _competitors_hand_over(log)
        _leagues_hand_over(log)
        _numbers_hand_over(log)
        _follow(log.evenings)

    def part(self, guest: Member, member: Member, noted: Noted) -> None:
        """What was written since on the guest's evenings becomes the guest's too."""
        evenings = noted["evenings"]
        for model, field, where in _BY_EVENING:
            own = model._default_manager.filter(**{f"{where}__in": evenings, field: member})
            own.update(**{field: guest})
        _leave_full_pairs(noted)
        _leagues_give_back(guest, member)
        listed = {columns.get("evening_id") for _model, columns in noted["dropped"]}
        _follow({*evenings, *listed} - {None})

    def preview(self, guest: Member) -> list[str]:
        """The evenings the guest was on the list of, newest first; cups; agreements."""
        evenings = Evening.objects.filter(pk__in=evenings_of(guest))
        wins = CupWin.objects.filter(member=guest).select_related("cup")
        rules = CoupleRule.objects.filter(Q(one=guest) | Q(two=guest)).select_related("one", "two")
        return [
            *(
                _("the evening of %(date)s") % {"date": date_format(evening.date, "j F Y")}
                for evening in evenings
            ),
            *(f"{win.cup}, {date_format(win.won_on, 'j F Y')}" for win in wins),
            *(
                f"{rule.get_kind_display()}: {rule.two if rule.one == guest else rule.one}"
                for rule in rules.order_by("pk")
            ),
        ]

    def met(self, ids: Collection[int]) -> set[frozenset[int]]:
        """Everybody on the list of the same evening, or with a result of it."""
        people: dict[int, set[int]] = defaultdict(set)
        for model in (Registration, PastResult):
            present = model.objects.filter(member__in=ids).exclude(
                absence__in=Registration.Absence.values
            )
            for evening_id, member_id in present.values_list("evening", "member"):
                people[evening_id].add(member_id)
        return {frozenset(both) for here in people.values() for both in combinations(here, 2)}


hook_register(EveningsFollow())


def evenings_of(member: Member) -> set[int]:
    """The evenings that this person is on the list of, or has a seat or a result in."""
    evenings: set[int | None] = set()
    for model, field, where in _BY_EVENING:
        own = model._default_manager.filter(**{field: member})
        evenings |= set(own.values_list(where, flat=True))
    return {evening_id for evening_id in evenings if evening_id is not None}


def _drop_absent(log: MergeLog) -> None:
    """If an evening lists both, drop the one who is not here and has no place in it."""
    for absent, other in ((log.guest, log.member), (log.member, log.guest)):
        dropped = _listed_in_vain(absent, other)
        for gone in dropped.exclude(pair=None):
            pair_hand_over(gone=gone, log=log, heir=other)
        log.drop(dropped)
        absences = PastResult.objects.filter(member=absent).exclude(absence="")
        played = PastResult.objects.filter(evening=OuterRef("evening"), member=other)
        log.drop(absences.filter(Exists(played)))


def _listed_in_vain(absent: Member, other: Member) -> QuerySet[Registration]:
    """The registrations of `absent` on lists with `other`, if they neither came nor paid."""
    placed = Placement.objects.filter(round__evening=OuterRef("evening"), member=absent)
    listed_too = Registration.objects.filter(evening=OuterRef("evening"), member=other)
    return Registration.objects.filter(
        Exists(listed_too), ~Exists(placed), member=absent, present=False, paid=None
    )


def _cups_hand_over(log: MergeLog) -> None:
    """The guest's cups become the member's, except one that both won on the same day."""
    has_it = CupWin.objects.filter(
        cup=OuterRef("cup"), won_on=OuterRef("won_on"), member=log.member
    )
    log.drop(CupWin.objects.filter(Exists(has_it), member=log.guest))
    log.move(CupWin)


def _competitors_hand_over(log: MergeLog) -> None:
    """The guest's pairs and teams become the member's, except those the member is in as well."""
    same = CompetitorMember.objects.filter(
        competitor=OuterRef("competitor"), member=log.member, until=None
    )
    log.drop(CompetitorMember.objects.filter(Exists(same), member=log.guest, until=None))
    log.move(CompetitorMember)


def _numbers_hand_over(log: MergeLog) -> None:
    """The guest's numbers in leagues elsewhere become the member's, except where both have one."""
    both = NumberElsewhere.objects.filter(member=log.member).values("league")
    log.drop(NumberElsewhere.objects.filter(member=log.guest, league__in=both))
    log.move(NumberElsewhere)


def _entries_hand_over(log: MergeLog) -> None:
    """The guest's entries become the member's, except where both entered."""
    entered = EntryPerson.objects.filter(member=log.member, counts=True).values("evening")
    for person in EntryPerson.objects.filter(member=log.guest, evening__in=entered):
        log.change(person, member_id=None)
    log.move(EntryPerson)


def _leagues_hand_over(log: MergeLog) -> None:
    """Where the guest plays in leagues the member does from now on; so is their league number the
    member's, except where the league knows the member already."""
    guest, member = str(log.guest.uuid), str(log.member.uuid)
    known = PersonLink.objects.filter(member_uuid=member).values("league")
    log.drop(PersonLink.objects.filter(member_uuid=guest, league__in=known))
    # Nobody sits twice for a team in one match.
    both = LineUpSeat.objects.filter(member_uuid=member).values("line_up")
    for model, kept in ((LeaguePlayer, {}), (PersonLink, {}), (LineUpSeat, {"line_up__in": both})):
        theirs = model._default_manager.filter(member_uuid=guest).exclude(**kept)
        for pk in theirs.values_list("pk", flat=True):
            log.change(model(pk=pk, member_uuid=guest), member_uuid=member)


def _leagues_give_back(guest: Member, member: Member) -> None:
    """A team that was saved since the merge has new rows: whoever plays under the guest's name is
    the guest again."""
    if name_key(guest.name) == name_key(member.name):
        return
    players = LeaguePlayer.objects.filter(member_uuid=member.uuid)
    theirs = [player.pk for player in players if name_key(player.name) == name_key(guest.name)]
    LeaguePlayer.objects.filter(pk__in=theirs).update(member_uuid=guest.uuid)


def _money_hand_over(log: MergeLog) -> None:
    """The guest's payments and packages become the member's, except what is noted of both: the fee
    of a season or a year, or a prize."""
    same = Q(season=OuterRef("season")) | Q(fee_year=OuterRef("fee_year"))
    noted = FeePayment.objects.filter(same, member=log.member)
    log.drop(FeePayment.objects.filter(Exists(noted), member=log.guest))
    won = PrizeGiven.objects.filter(season=OuterRef("season"), key=OuterRef("key"))
    log.drop(PrizeGiven.objects.filter(Exists(won.filter(member=log.member)), member=log.guest))
    log.move(FeePayment)
    log.move(Package)


def _leave_full_pairs(noted: Noted) -> None:
    """Somebody who comes back on a list leaves their pair if two others are in it by now."""
    for _model, columns in noted["dropped"]:
        if columns.get("pair"):
            others = Registration.objects.filter(
                evening=columns["evening_id"], pair=columns["pair"]
            )
            if others.count() >= 2:
                columns["pair"] = None


def _follow(evenings: Collection[int]) -> None:
    """Recompute everything that is derived from these evenings."""
    for evening_id in sorted(evenings):
        revision_bump(evening_id)
    drafts = Round.objects.filter(evening__in=evenings, state=Round.State.DRAFT)
    drafts.update(version=F("version") + 1)
    closed = Evening.objects.filter(pk__in=evenings, state=Evening.State.CLOSED)
    for evening_id in closed.order_by("pk").values_list("pk", flat=True):
        # Only on commit: other merge hooks may not have moved their rows yet.
        transaction.on_commit(partial(summary_store, evening_id), robust=True)
    played = Evening.objects.filter(pk__in=evenings, rounds__isnull=False)
    first = played.order_by("date", "sequence").first()
    if first is not None:
        ratings_follow(first)


OPEN = Evening.State.PLANNED, Evening.State.RUNNING


@receiver(erasing_considered)
def evenings_that_need_them(member: Member, **_kwargs: object) -> list[str]:
    """The evenings still to be played, or being played, that count on this person."""
    listed = Q(registrations__member=member, registrations__present=True)
    placed = Q(rounds__placements__member=member)
    needing = Evening.objects.filter(listed | placed, state__in=OPEN).distinct()
    return [
        _(
            "%(name)s is on the list of the evening of %(date)s. Take this name off it, or wait"
            " until the evening is closed."
        )
        % {"name": member.desk_name, "date": date_format(evening.date, "j F Y")}
        for evening in needing.order_by("date", "sequence")
    ]


@receiver(own_texts_searched)
def own_texts_naming(identifiers: Identifiers, **_kwargs: object) -> list[str]:
    """The names of evenings, seasons and cups, and the wording of messages, that name them."""
    club = identifiers.member.club
    named = [
        *((_("name of an evening"), evening.name) for evening in Evening.objects.of(club)),
        *((_("name of a season"), season.name) for season in club.seasons.all()),
        *(
            (_("why a standing was changed"), reason)
            for reason in SeasonRule.objects.filter(season__club=club).values_list(
                "reason", flat=True
            )
        ),
        *(
            (_("why a pair or team was corrected"), reason)
            for reason in CompetitorCorrection.objects.filter(season__club=club)
            .exclude(competitor__people__member=identifiers.member)
            .values_list("reason", flat=True)
        ),
        *((_("name of a cup"), cup.name) for cup in club.cups.all()),
        *(
            (_("name of a pair or team"), competitor.name)
            for competitor in club.competitors.exclude(people__member=identifiers.member)
        ),
        *((text.get_kind_display(), text.wording) for text in club.texts.all()),
        *((_("regulation of a league"), regulation) for regulation in _regulations_of(club)),
        *((_("what a prize is"), what) for what in _prizes_of(club)),
        *(
            (_("in or out of the pot"), what)
            for what in PotEntry.objects.filter(season__club=club).values_list("what", flat=True)
        ),
    ]
    return [
        f"{what}: “{Truncator(text).chars(80)}”"
        for what, text in named
        if identifiers.are_meant_in(text)
    ]


def _regulations_of(club: Club) -> set[str]:
    """The regulations of the leagues in which the club plays."""
    seasons = LeagueSeason.objects.filter(divisions__teams__club_uuid=club.uuid)
    return set(seasons.exclude(regulation="").values_list("regulation", flat=True))


def _prizes_of(club: Club) -> set[str]:
    """What the club calls its prizes."""
    schemes = [
        *Evening.objects.of(club).values_list("prizes", flat=True),
        *club.seasons.values_list("prizes", flat=True),
    ]
    named = {content.what for prizes in schemes for _key, content in scheme_of(prizes).contents}
    given = PrizeGiven.objects.filter(club=club).values_list("what", flat=True)
    return {*named, *given} - {""}


@receiver(member_erasing)
def evenings_forget(identifiers: Identifiers, **_kwargs: object) -> None:
    """Drop all free text of the person's evenings and payments, pictures of the sheets of those
    evenings, their wishes for the draw, booklets, mails, copies and deleted evenings of the club;
    releases show the neutral name. What they paid and got stays in the sums of the club."""
    member = identifiers.member
    evenings = Evening.objects.filter(pk__in=evenings_of(member))
    sheets = Scoresheet.objects.filter(table__round__evening__in=evenings)
    remarks_erase(set(sheets.values_list("pk", flat=True)), identifiers.erased)
    references = [f"evening:{uuid}" for uuid in evenings.values_list("uuid", flat=True)]
    reasons = AuditText.objects.filter(event__club=member.club, field="reason")
    texts_erase(reasons.filter(event__object_ref__in=references), identifiers.erased)
    Release.objects.filter(evening__in=evenings).update(reason="")
    Registration.objects.filter(member=member, evening__state__in=OPEN).delete()
    CoupleRule.objects.filter(Q(one=member) | Q(two=member)).delete()
    named_after = _competitors_forget(identifiers)
    EveningPhoto.objects.filter(people__member=member).delete()
    SheetPhoto.objects.filter(evening__in=evenings).delete()
    Follower.objects.filter(member=member).delete()
    leagues_forget(identifiers, _names)
    people_forget(identifiers.uuids)
    NumberElsewhere.objects.filter(member=member).delete()
    entries_forget(member)
    FeePayment.objects.filter(member=member).update(remark="")
    Package.objects.filter(member=member).update(remark="")
    PersonCorrection.objects.filter(member=member).update(reason="")
    FolderPlay.objects.filter(deal__sheet__in=sheets).update(reason="")
    MemberMail.objects.filter(club=member.club).delete()
    DeletedEvening.objects.filter(club=member.club).delete()
    SeasonFile.objects.filter(season__club=member.club).delete()
    CopyPiece.objects.filter(copy__club=member.club).delete()
    Copy.objects.filter(club=member.club).exclude(kind=Copy.Kind.MADE).delete()
    for release in Release.objects.filter(evening__club=member.club):
        _release_forget(release, identifiers, named_after)


def _competitors_forget(identifiers: Identifiers) -> set[str]:
    """Pairs and teams called after the person get a name without theirs, and so in the trail; why
    they were corrected goes. Returns the UUIDs of all that they were ever in."""
    club, theirs = identifiers.member.club, set()
    for competitor in club.competitors.filter(people__member=identifiers.member).distinct():
        theirs.add(str(competitor.uuid))
        texts = AuditText.objects.filter(
            event__club=club, event__object_ref=f"competitor:{competitor.uuid}", field="name"
        )
        texts_erase(texts, identifiers.erased)
        corrected = AuditText.objects.filter(
            event__club=club,
            event__data__of=str(competitor.uuid),
            field__in=["reason", "competitor"],
        )
        texts_erase(corrected, identifiers.erased)
        competitor.corrections.update(reason="")
        if _names(competitor.name, identifiers):
            competitor.name = _neutral_name(competitor, identifiers)
            competitor.save_changes("name", "key")
    return theirs


def _names(name: str, identifiers: Identifiers) -> bool:
    """Whether a word of the person's name is in this one of their pair or team."""
    said = set(plain_key(name).replace("&", " ").split())
    own = {word for text in identifiers.words for word in plain_key(text).split()}
    return bool(said & {word for word in own if len(word) > 1 and word not in PREFIXES})


def _neutral_name(competitor: Competitor, identifiers: Identifiers) -> str:
    others = competitor.people.filter(until=None).exclude(member__in=identifiers.ids)
    people = [person.member.name for person in others.select_related("member")[:1]]
    first = [*people, identifiers.neutral_name]
    base = " & ".join(first) if competitor.kind == Competitor.Kind.PAIR else _("Team")
    taken = set(
        competitor.club.competitors.filter(kind=competitor.kind)
        .exclude(pk=competitor.pk)
        .values_list("key", flat=True)
    )
    names = (base if n == 1 else f"{base} ({n})" for n in count(1))
    return next(name for name in names if name_key(name) not in taken)


def _release_forget(release: Release, identifiers: Identifiers, named_after: set[str]) -> None:
    """`named_after` are the UUIDs of the pairs and teams that may have the person's name."""
    own = [
        (salts, place, row)
        for salts, rows in zip(release.salts, release.lists, strict=True)
        for place, row in enumerate(rows)
        if row.get("member") in identifiers.ids
        or (row.get("competitor") in named_after and _names(row["name"], identifiers))
    ]
    names_them = identifiers.are_meant_in(release.reason)
    if not own and not names_them:
        return
    for salts, place, row in own:
        row["name"] = row["shown_name"] = identifiers.neutral_name
        salts[place] = ""
    if names_them:
        release.reason = ""
    release.save(update_fields=["standings", "changes", "competitors", "salts", "reason"])
