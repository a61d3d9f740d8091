"""Erasing a person in tournaments: their evenings lose all free text."""

from django.db.models import Q
from django.dispatch import receiver
from django.utils.formats import date_format
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from clubs.audit.erasing import texts_erase
from clubs.models import AuditText, Member
from clubs.privacy.erasing import (
    Identifiers,
    erasing_considered,
    member_erasing,
    own_texts_searched,
)
from scoring.audit.erasing import remarks_erase
from scoring.models import Scoresheet
from tournaments.models import (
    Copy,
    CopyPiece,
    CoupleRule,
    DeletedEvening,
    Evening,
    EveningPhoto,
    Registration,
    Release,
    SeasonFile,
)
from tournaments.personal_data.merging import evenings_of

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
        *((_("name of a cup"), cup.name) for cup in club.cups.all()),
        *((text.get_kind_display(), text.wording) for text in club.texts.all()),
    ]
    return [
        f"{what}: “{Truncator(text).chars(80)}”"
        for what, text in named
        if identifiers.are_meant_in(text)
    ]


@receiver(member_erasing)
def evenings_forget(identifiers: Identifiers, **_kwargs: object) -> None:
    """Drop all free text of the person's evenings, their wishes for the draw, booklets, copies and
    deleted evenings of the club; releases show the neutral name."""
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
    EveningPhoto.objects.filter(people__member=member).delete()
    DeletedEvening.objects.filter(club=member.club).delete()
    SeasonFile.objects.filter(season__club=member.club).delete()
    CopyPiece.objects.filter(copy__club=member.club).delete()
    Copy.objects.filter(club=member.club).exclude(kind=Copy.Kind.MADE).delete()
    for release in Release.objects.filter(evening__club=member.club):
        _release_forget(release, identifiers)


def _release_forget(release: Release, identifiers: Identifiers) -> None:
    lists = (release.standings, release.changes)
    own = [
        (salts, place, row)
        for salts, rows in zip(release.salts, lists, strict=True)
        for place, row in enumerate(rows)
        if row["member"] in identifiers.ids
    ]
    names_them = identifiers.are_meant_in(release.reason)
    if not own and not names_them:
        return
    for salts, place, row in own:
        row["name"] = row["shown_name"] = identifiers.neutral_name
        salts[place] = ""
    if names_them:
        release.reason = ""
    release.save(update_fields=["standings", "changes", "salts", "reason"])
