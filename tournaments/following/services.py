"""Browsers that follow a club or a player, and their messages, sent aside and one after the other.

Following is nobody's task at a club, and nobody logs in for it: the trail has none of it.
"""

import atexit
import logging
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.db.models.signals import post_save
from django.dispatch import receiver
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.accounts.services import Outbox
from clubs.merges.services import MergeLog
from clubs.models import Club, Member
from clubs.namesakes.services import member_changed
from clubs.text.errors import DomainError
from clubs.text.numbers import number
from tournaments.evenings.pages import evening_page_url, player_url
from tournaments.following.push import BadSubscription, NotBrought, Subscription, push
from tournaments.following.queries import result_words
from tournaments.models import Evening, Follower, Release
from tournaments.players.views.player import public_people
from tournaments.releases.lines import own_line, own_place, release_lines
from tournaments.releases.queries import PublicRow, release_rows
from tournaments.seasons.standings import keeping_people

logger = logging.getLogger(__name__)

pushes: Final = Outbox("pushed")
atexit.register(pushes.stop)

GONE: Final = frozenset({404, 410})
"""What a service answers for a browser that wants no messages any more."""
MOST_FAILURES: Final = 5
"""After so many messages in a row that were not taken, a browser is forgotten."""
HOST_IS_AWAY: Final = 3
"""After so many in a row, its service is not tried again with this news."""
AT_MOST: Final = 900.0
"""Seconds that may be spent on telling of one evening."""
NEWS_FOR: Final = timedelta(days=7)
"""How long after an evening its result is news; what is imported later is not."""


@transaction.atomic
def follower_keep(
    *, club: Club, member: Member | None, subscription: Subscription, language: str
) -> None:
    """Let a browser follow the club, or this player of it; the same again only renews its keys.

    Raises DomainError `not_followed` for somebody without a public page, or `too_many_followers`
    of the club or by that browser.
    """
    if member is not None and not public_people(club).filter(pk=member.pk).exists():
        raise DomainError("not_followed", _("This player cannot be followed."))
    keys = {"p256dh": subscription.p256dh, "auth": subscription.auth, "language": language}
    own = Follower.objects.filter(club=club, endpoint=subscription.endpoint)
    if own.filter(member=member).update(**keys, failures=0):
        return
    everybody = Follower.objects.filter(club=club)
    is_full = everybody.count() >= Follower.MOST_OF_A_CLUB
    if is_full or own.count() >= Follower.MOST_OF_A_BROWSER:
        message = _("There are too many followers already. Follow by calendar or by feed instead.")
        raise DomainError("too_many_followers", message)
    # Two presses at once make one follower.
    follower = Follower(club=club, member=member, endpoint=subscription.endpoint, **keys)
    Follower.objects.bulk_create([follower], ignore_conflicts=True)


@transaction.atomic
def follower_drop(*, club: Club, member: Member | None, endpoint: str) -> None:
    """Let a browser no longer follow the club, or this player."""
    Follower.objects.filter(club=club, member=member, endpoint=endpoint).delete()


def followers_hand_over(log: MergeLog) -> None:
    """Who followed the guest follows the member. Nothing of who followed both is noted: an address
    of a browser is not to be kept after it is gone."""
    both = Follower.objects.filter(member=log.member).values("endpoint")
    Follower.objects.filter(member=log.guest, endpoint__in=both).delete()
    log.move(Follower)
    followers_of_hidden_people_go(log.member)


@receiver(member_changed)
def followers_of_hidden_people_go(member: Member, **_kwargs: object) -> None:
    """Whoever is hidden from public pages is followed by nobody."""
    if member.public_as == Member.PublicAs.HIDDEN:
        Follower.objects.filter(member=member).delete()


# What there is to tell, and when.


@receiver(post_save, sender=Release)
def result_follows(
    sender: type[Release],
    instance: Release,
    created: bool,
    raw: bool = False,
    **_kwargs: object,
) -> None:
    """The first result of an evening of the last days goes to who follows."""
    if settings.WEB_PUSH and created and not raw and instance.number == 1:
        _tell_after_commit(instance.evening)


@receiver(post_save, sender=Evening)
def calling_off_follows(
    sender: type[Evening],
    instance: Evening,
    update_fields: frozenset[str] | None = None,
    **_kwargs: object,
) -> None:
    """That an evening to come was called off goes to who follows the club."""
    is_state = update_fields is not None and "state" in update_fields
    if settings.WEB_PUSH and is_state and instance.state == Evening.State.CANCELLED:
        _tell_after_commit(instance)


def _tell_after_commit(evening: Evening) -> None:
    if not evening.is_history and timezone.localdate() - evening.date <= NEWS_FOR:
        job = partial(_tell, evening.pk)
        transaction.on_commit(partial(pushes.add, job), robust=True)


def _tell(evening_id: int) -> None:
    """Tell everybody who follows, as long as there is something to tell."""
    try:
        evening = Evening.objects.select_related("club").filter(pk=evening_id).first()
        if evening is not None and evening.club.practice_of_id is None:
            _send_all(evening, list(evening.club.followers.select_related("member").order_by("?")))
    except Exception:
        logger.exception("No message of an evening was sent")


@dataclass(frozen=True, slots=True)
class News:
    """What there is to tell of an evening: its result by member, its `lines` by whom it ranks, or
    that it is off; whether it `keeps_people` beside their pairs and teams."""

    evening: Evening
    rows: Sequence[PublicRow]
    lines: Sequence[PublicRow] = ()
    keeps_people: bool = False

    @classmethod
    def of(cls, evening: Evening) -> "News":
        """What the public may know of it now."""
        release = evening.releases.first()
        is_shown = evening.state == Evening.State.CLOSED and release is not None
        if not is_shown or release is None:
            return cls(evening, [])
        rows = release_rows(release)
        keeps = bool(keeping_people([evening]))
        return cls(evening, rows, release_lines(release, rows), keeps)

    def for_follower(self, follower: Follower) -> dict[str, str] | None:
        """The message for this browser, in its language; None where it is not for it."""
        with translation.override(follower.language):
            words = self._of_player(follower) if follower.member else self._of_club()
        if words is None:
            return None
        club, member = self.evening.club, follower.member_id
        page = evening_page_url(club, self.evening.slug)
        return {
            "title": club.name,
            "body": words,
            "url": player_url(club, member) if member else page,
            "tag": f"{self.evening.uuid}-{member or 'club'}",
            "language": follower.language,
        }

    def _of_club(self) -> str | None:
        day = date_format(self.evening.date, "l j F")
        if self.evening.state == Evening.State.CANCELLED:
            return _("The evening of %(day)s is called off.") % {"day": day}
        if not self.rows:
            return None
        lines = self.lines
        first = [line.name for line in lines if line.rank == 1]
        names = _(" and ").join(first[:2]) if len(first) < 3 else _("%d people") % len(first)
        words = {"day": day, "names": names, "points": number(lines[0].total)}
        return _("Result of %(day)s: won by %(names)s, with %(points)s points.") % words

    def _of_player(self, follower: Follower) -> str | None:
        own = next((row for row in self.rows if row.member_id == follower.member_id), None)
        if own is None or not own.has_page:
            return None
        found = own_line(own.member_id, self.rows, self.lines)
        if found is None:
            return None
        beside = own_place(found) if self.keeps_people else ""
        return f"{result_words(found, self.evening)} {beside}".strip()


def _send_all(evening: Evening, followers: Sequence[Follower]) -> None:
    """In any order: where the time is up, it is not always the same who get nothing."""
    away: Counter[str] = Counter()
    unreached, taken = [], 0
    end = time.monotonic() + AT_MOST
    for follower, message in _messages(News.of(evening), followers):
        host = urlsplit(follower.endpoint).netloc
        if away[host] >= HOST_IS_AWAY or time.monotonic() > end:
            continue
        status = _sent(follower, message)
        if status:
            away[host], taken = 0, taken + 1
            _note(follower, status)
        else:
            away[host] += 1
            unreached.append(follower)
    # Where nobody at all is reached, this server has no internet: that is no fault of theirs.
    for follower in unreached if taken else []:
        _note(follower, 0)


def _sent(follower: Follower, message: Mapping[str, str]) -> int:
    """What the service answers; 0 where there is no answer."""
    try:
        return push(Subscription(follower.endpoint, follower.p256dh, follower.auth), message)
    except (BadSubscription, NotBrought):
        return 0
    except Exception:
        logger.exception("A message to a follower could not be made")
        return 0


def _messages(
    news: News, followers: Sequence[Follower]
) -> Iterator[tuple[Follower, Mapping[str, Any]]]:
    for follower in followers:
        message = news.for_follower(follower)
        if message is not None:
            yield follower, message


def _note(follower: Follower, status: int) -> None:
    """Forget a browser that wants no more, and one that took nothing for long."""
    own = Follower.objects.filter(endpoint=follower.endpoint)
    if status in GONE:
        own.delete()
    elif 200 <= status < 300:
        own.filter(failures__gt=0).update(failures=0)
    else:
        logger.warning("A message to a follower was not taken: %s", status or "no answer")
        own.update(failures=F("failures") + 1)
        own.filter(failures__gte=MOST_FAILURES).delete()
