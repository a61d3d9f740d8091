"""The page that says how to follow a club or a player, the feeds, and browsers that want messages.

A browser is told apart by the address of its messages alone, which nobody else knows: no cookie,
no login.
"""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django import forms
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.cache import get_conditional_response
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from clubs.access.permissions import public_view
from clubs.api.requests import content_hash, etag
from clubs.http.middleware import network_of
from clubs.http.network import absolute_url, base_url
from clubs.limits.table import FOLLOWS
from clubs.models import Club, Member
from clubs.text.errors import DomainError
from tournaments.evenings.pages import asked_number, player_url
from tournaments.following.push import BadSubscription, Subscription, server_key_public
from tournaments.following.queries import Entry, club_entries, player_entries
from tournaments.following.services import follower_drop, follower_keep
from tournaments.models import Follower
from tournaments.players.views.player import public_people

TOO_MANY, UNUSABLE = 429, 422
BEGINNING: Final = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


@dataclass(frozen=True, slots=True)
class Feed:
    """What an Atom feed is of: the address of its server, its title, the paths of the page that it
    goes with and of itself, who tells it, and in which language where the reader has none."""

    base: str
    title: str
    page: str
    own: str
    author: str
    language: str


class _QuietFeed(Atom1Feed):
    """One that holds nothing yet has not changed since."""

    def latest_post_date(self) -> dt.datetime:
        return super().latest_post_date() if self.items else BEGINNING


@require_safe
@public_view
def follow_page(request: HttpRequest, club: Club) -> HttpResponse:
    """How to follow the club, or the player of `?player=`, in words for who never did."""
    pk = asked_number(request, "player")
    member = _followed(club, pk) if pk is not None else None
    calendar = absolute_url(club, reverse("club_ical", args=[club.slug]))
    context = {
        "club": club,
        "member": member,
        "feed": absolute_url(club, _feed_path(club, member)),
        "subscribe": f"webcal:{calendar.partition(':')[2]}",
        "push_key": server_key_public() if offers_push(request, club) else "",
    }
    return render(request, "tournaments/following/follow.html", context)


def offers_push(request: HttpRequest, club: Club) -> bool:
    """Whether browsers can be sent messages: over https only, and not of a practice evening."""
    return settings.WEB_PUSH and request.is_secure() and club.practice_of_id is None


@require_safe
@public_view
def follow_worker(_request: HttpRequest, club: Club) -> HttpResponse:
    """The service worker that shows the messages: that of the tables, for this page alone. Browsers
    fetch it now and then; the name of the script in it changes with its content."""
    script = f'importScripts("{static("tournaments/scoresheets/worker.js")}");\n'
    headers = {"Cache-Control": "no-cache"}
    return HttpResponse(script, content_type="text/javascript", headers=headers)


class FollowForm(forms.Form):
    """Where messages for a browser are brought. Without `follow` it asks whether it follows."""

    endpoint = forms.CharField(max_length=Follower.LONGEST_ENDPOINT)
    p256dh = forms.CharField(max_length=88)
    auth = forms.CharField(max_length=24)
    player = forms.IntegerField(required=False, min_value=1)
    follow = forms.ChoiceField(required=False, choices=[("yes", "yes"), ("no", "no")])

    def clean(self) -> dict[str, object]:
        """With the `subscription` that the three make."""
        known: dict[str, object] = self.cleaned_data
        if not self.errors:
            try:
                known["subscription"] = Subscription(
                    self.cleaned_data["endpoint"],
                    self.cleaned_data["p256dh"],
                    self.cleaned_data["auth"],
                )
            except BadSubscription as error:
                raise forms.ValidationError(
                    _("This browser gave no address for messages that can be used.")
                ) from error
        return known


# Nothing here goes by a cookie: a forged request would need the address of somebody's messages.
@csrf_exempt
@require_POST
@public_view
def follow_push(request: HttpRequest, club: Club) -> HttpResponse:
    """Let a browser follow, stop, or hear whether it does: `{"following": true}`."""
    if not offers_push(request, club):
        raise Http404
    network = network_of(request.META.get("REMOTE_ADDR", ""))
    if not FOLLOWS.allows_from("follows", network):
        return _refused(_("Wait a moment, and try again."), TOO_MANY)
    form = FollowForm(request.POST)
    if not form.is_valid():
        return _refused(str(next(iter(form.errors.values()))[0]), UNUSABLE)
    try:
        return JsonResponse({"following": _follow(club, form)})
    except DomainError as error:
        return _refused(error.message, UNUSABLE)


def _follow(club: Club, form: FollowForm) -> bool:
    data = form.cleaned_data
    subscription: Subscription = data["subscription"]
    member = _followed(club, data["player"]) if data["player"] is not None else None
    if data["follow"] == "yes":
        language = translation.get_language() or club.language
        follower_keep(club=club, member=member, subscription=subscription, language=language)
    elif data["follow"] == "no":
        follower_drop(club=club, member=member, endpoint=subscription.endpoint)
    own = Follower.objects.filter(club=club, endpoint=subscription.endpoint)
    return own.filter(member=member).exists()


def _refused(words: str, status: int) -> HttpResponse:
    return JsonResponse({"error": words}, status=status)


def _followed(club: Club, pk: int) -> Member:
    return get_object_or_404(public_people(club), pk=pk)


def _feed_path(club: Club, member: Member | None) -> str:
    if member is None:
        return reverse("club_feed", args=[club.slug])
    return reverse("player_feed", args=[club.slug, member.pk])


@require_safe
@public_view
def club_feed(request: HttpRequest, club: Club) -> HttpResponse:
    """Evenings that were announced or called off, and results, as Atom."""
    feed = _feed(club, club.name, club.get_absolute_url(), _feed_path(club, None))
    return feed_answer(request, feed, club_entries(club))


@require_safe
@public_view
def player_feed(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """A player's results as Atom, as long as they have a public page."""
    member = _followed(club, pk)
    title = f"{member.shown_name}, {club.name}"
    feed = _feed(club, title, player_url(club, pk), _feed_path(club, member))
    return feed_answer(request, feed, player_entries(club, member))


def _feed(club: Club, title: str, page: str, own: str) -> Feed:
    return Feed(base_url(club), title, page, own, author=club.name, language=club.language)


def feed_answer(request: HttpRequest, about: Feed, entries: Sequence[Entry]) -> HttpResponse:
    """The feed with these entries, or 304 for a reader that has it."""
    feed = _QuietFeed(
        title=about.title,
        link=about.base + about.page,
        description="",
        language=translation.get_language() or about.language,
        author_name=about.author,
        feed_url=about.base + about.own,
        feed_guid=about.base + about.own,
    )
    for entry in entries:
        feed.add_item(
            title=entry.title,
            link=about.base + entry.path,
            description=escape(entry.text),
            unique_id=entry.key.urn,
            updateddate=entry.updated.astimezone(timezone.get_current_timezone()),
        )
    content = feed.writeString("utf-8")
    tag = etag(content_hash(content))
    answer = get_conditional_response(request, etag=tag) or HttpResponse(
        content, content_type="application/atom+xml; charset=utf-8"
    )
    answer.headers["ETag"] = tag
    answer.headers["Cache-Control"] = "no-cache"
    return answer
