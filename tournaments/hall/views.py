"""The screen in the hall, which shows picture after picture and never needs a mouse; and the page
at the desk that steers it, from another window or computer."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import condition, require_POST, require_safe
from django_permissions_policy.decorators import permissions_policy_override

from clubs.access.permissions import actor_of, desk_view, may, opens_for, speak_clubs_language
from clubs.databases.replica import read_for
from clubs.http.network import absolute_url
from clubs.http.pages import Poll
from clubs.models import Club
from clubs.text.errors import DomainError
from clubs.text.numbers import whole_number
from tournaments.evenings.pages import evening_view, find_evening, show_evening, to_evening
from tournaments.evenings.permissions import FREEZE, STEER_HALL
from tournaments.evenings.services import evening_freeze
from tournaments.hall.scenes import shown_now
from tournaments.hall.screen import (
    PRIZES,
    SECONDS,
    bell_ring,
    clock_add,
    clock_now,
    clock_pause,
    clock_start,
    clock_stop,
    hall_of,
    hall_tag,
    look_choose,
    message_now,
    message_put,
    message_take_away,
    scene_hold,
    scene_show,
    scene_step,
)
from tournaments.models import Evening, HallScreen
from tournaments.results.views.live import (
    EveningSeen,
    evening_etag,
    evening_seen,
    groups_revision,
    shared_from_now,
    shared_part,
)

MORE_MINUTES = 5
DESK_POLL = Poll(700, 3_000)
STAYS = 0
"""Instead of minutes: until it is taken away."""


class MessageForm(forms.Form):
    """An announcement, and how long it is shown."""

    message = forms.CharField(
        label=_("What should the hall read?"),
        max_length=HallScreen.LONGEST_MESSAGE,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={
            "required": _("Type what the hall should read."),
            "max_length": _("At most %(limit_value)d letters fit on the screen."),
        },
    )
    minutes = forms.TypedChoiceField(
        label=_("How long?"),
        choices=[
            (STAYS, _("until I take it away")),
            (2, _("2 minutes")),
            (5, _("5 minutes")),
            (10, _("10 minutes")),
            (15, _("15 minutes")),
        ],
        coerce=int,
    )

    @property
    def given(self) -> tuple[str, int | None]:
        """The announcement, and its minutes or None to stay; the form must be valid."""
        return self.cleaned_data["message"], self.cleaned_data["minutes"] or None


class ClockForm(forms.Form):
    """How long a round lasts."""

    minutes = forms.IntegerField(
        label=_("Minutes for a round"),
        min_value=1,
        max_value=HallScreen.LONGEST_ROUND,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "size": 4, "autocomplete": "off"}),
        error_messages={
            "required": _("Type how many minutes a round lasts."),
            "invalid": _("Type how many minutes a round lasts."),
            "min_value": _("Choose from 1 to 300 minutes."),
            "max_value": _("Choose from 1 to 300 minutes."),
        },
    )


class Refused(Exception):
    """What was typed is not right; the form says what."""


@desk_view(STEER_HALL)
@require_safe
def hall_desk(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """What the hall sees now, and everything that can be done with it."""
    evening = find_evening(club, evening_slug)
    return _page(request, evening, {})


@desk_view(STEER_HALL)
@require_safe
def hall_live(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """The panel, for who steers from two windows; 304 while nothing changes."""
    return _live(request, find_evening(club, evening_slug))


@desk_view(STEER_HALL)
@require_POST
def hall_steer(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Do what a button or a key asks for (`do`) with the screen as it was then (`version`)."""
    evening = find_evening(club, evening_slug)
    message, clock = MessageForm(), ClockForm(initial={"minutes": hall_of(evening).clock_minutes})
    fault = ""
    try:
        match request.POST.get("do"):
            case "announce":
                message = MessageForm(request.POST)
                _announce(request, evening, message)
                message = MessageForm()
            case "start" if "minutes" in request.POST:
                clock = ClockForm(request.POST)
                _start(request, evening, clock)
            case asked:
                _act(request, evening, asked or "")
    except Refused:
        pass
    except DomainError as error:
        fault = error.message
    if request.headers.get("HX-Request"):
        forms = {"fault": fault, "message_form": message, "clock_form": clock}
        return _panel(request, evening, forms)
    if message.errors or clock.errors:
        return _page(request, evening, {"message_form": message, "clock_form": clock}, status=422)
    if fault:
        messages.error(request, fault)
    return to_evening("hall_desk", evening)


def _page(
    request: HttpRequest, evening: Evening, forms: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    context: dict[str, Any] = _context(evening) | forms
    return show_evening(request, "hall/desk.html", evening, status=status, **context)


def _panel(request: HttpRequest, evening: Evening, forms: dict[str, Any]) -> HttpResponse:
    context = {"club": evening.club, "evening": evening} | _context(evening) | forms
    return render(request, "tournaments/hall/panel.html", context)


def _announce(request: HttpRequest, evening: Evening, form: MessageForm) -> None:
    if not form.is_valid():
        raise Refused
    message, minutes = form.given
    message_put(
        evening_id=evening.pk,
        seen_version=_version(request),
        message=message,
        minutes=minutes,
        actor=actor_of(request),
    )


def _start(request: HttpRequest, evening: Evening, form: ClockForm) -> None:
    if not form.is_valid():
        raise Refused
    minutes = form.cleaned_data["minutes"]
    clock_start(evening_id=evening.pk, seen_version=_version(request), minutes=minutes)


def _act(request: HttpRequest, evening: Evening, asked: str) -> None:
    """Do one of the things that need nothing typed; anything else does nothing."""
    pk, version = evening.pk, _version(request)

    def step(by: int) -> HallScreen:
        pictures = shown_now(evening, hall_of(evening)).of
        return scene_step(evening_id=pk, seen_version=version, by=by, pictures=pictures)

    acts: dict[str, Callable[[], object]] = {
        "next": lambda: step(1),
        "back": lambda: step(-1),
        "hold": lambda: scene_hold(evening_id=pk, seen_version=version, held=True),
        "go": lambda: scene_hold(evening_id=pk, seen_version=version, held=False),
        "light": lambda: look_choose(evening_id=pk, seen_version=version, light=True),
        "dark": lambda: look_choose(evening_id=pk, seen_version=version, light=False),
        "start": lambda: clock_start(evening_id=pk, seen_version=version),
        "pause": lambda: clock_pause(evening_id=pk, seen_version=version),
        "add": lambda: clock_add(evening_id=pk, seen_version=version, minutes=MORE_MINUTES),
        "stop": lambda: clock_stop(evening_id=pk, seen_version=version),
        "ring": lambda: bell_ring(evening_id=pk, seen_version=version),
        "silence": lambda: message_take_away(
            evening_id=pk, seen_version=version, actor=actor_of(request)
        ),
    }
    if may(request, FREEZE, evening):
        acts |= {
            "secret": lambda: evening_freeze(evening_id=pk, frozen=True, actor=actor_of(request))
        }
    show, _dash, scene = asked.partition("-")
    if show == "show" and scene in ("", *HallScreen.Scene.values):
        scene_show(evening_id=pk, seen_version=version, scene=scene)
    elif asked in acts:
        acts[asked]()


def _version(request: HttpRequest) -> int:
    return whole_number(request.POST.get("version", ""))


def _tag(evening: Evening) -> str:
    return _screen_tag(evening, evening_etag(evening))


@cache_control(private=True, no_cache=True)
@condition(etag_func=lambda _request, evening: _tag(evening))
def _live(request: HttpRequest, evening: Evening) -> HttpResponse:
    return _panel(request, evening, {})


def _context(evening: Evening) -> dict[str, Any]:
    # The tag comes first: what changes while the panel is made is asked for once more.
    tag = _tag(evening)
    hall = hall_of(evening)
    shown = shown_now(evening, hall)
    path = reverse("club_screen", args=[evening.club_id])
    return {
        "hall": hall,
        "shown": shown,
        "scenes": HallScreen.Scene,
        # Who looks on a phone reads the winner before the prize-giving.
        "tells": hall.scene == PRIZES
        and evening.state == Evening.State.RUNNING
        and not evening.frozen,
        "message": message_now(hall),
        "message_form": MessageForm(),
        "clock_form": ClockForm(initial={"minutes": hall.clock_minutes}),
        "more_minutes": MORE_MINUTES,
        "clock": clock_now(hall),
        "tv_url": absolute_url(evening.club, path).partition("://")[2].rstrip("/"),
    } | DESK_POLL.context(tag)


SCREEN_POLL = Poll(350, 1_500)
"""A screen turns by itself and is steered, so it never waits as long as phones do."""

stays_awake = permissions_policy_override(
    {**settings.PERMISSIONS_POLICY, "screen-wake-lock": ["self"], "autoplay": ["self"]}
)
"""Decorates the page that keeps its screen awake, and that rings."""


@require_safe
def evening_screen(request: HttpRequest, slug: str, evening_slug: str) -> HttpResponse:
    """What the hall wants to see now. The page polls itself with `?live=1` and gets a new version
    only when there is another picture, or something of it has changed."""
    view = evening_screen_live if "live" in request.GET else _screen_whole
    return read_for(request, partial(view, request, slug, evening_slug))


@stays_awake
@evening_view
def _screen_whole(request: HttpRequest, evening: Evening) -> HttpResponse:
    context = _screen_context(evening) | {"steers": may(request, STEER_HALL, evening)}
    return render(request, "tournaments/hall/screen.html", context)


@evening_view
def _screen_shown(request: HttpRequest, evening: Evening) -> HttpResponse:
    return render(request, "tournaments/hall/shown.html", _screen_context(evening))


def evening_screen_live(request: HttpRequest, slug: str, evening_slug: str) -> HttpResponse:
    """The part that changes; 304 while it does not. Made once for all screens of an evening."""
    seen = evening_seen(slug, evening_slug)
    if seen is None:
        raise Http404
    speak_clubs_language(request, Club(language=seen.language))
    tag = _screen_tag(seen, evening_etag(seen))
    response = shared_part(request, tag, lambda: _screen_shown(request, slug, evening_slug))
    return shared_from_now(response, partial(_screen_tag_now, slug, evening_slug))


def _screen_tag_now(slug: str, evening_slug: str, chosen: str | None) -> str | None:
    seen = evening_seen(slug, evening_slug)
    return seen and _screen_tag(seen, evening_etag(seen, chosen or seen.language))


def _screen_tag(evening: Evening | EveningSeen, tag: str) -> str:
    """The tag of the evening with that of the screen, which shows the other groups too."""
    return f'{tag[:-1]}-{groups_revision(evening)}-{hall_tag(evening.pk)}"'


def _screen_context(evening: Evening) -> dict[str, Any]:
    # The tag comes first: what changes while the picture is made is asked for once more.
    tag = _tag(evening)
    hall = hall_of(evening)
    return {
        "club": evening.club,
        "evening": evening,
        "hall": hall,
        "shown": shown_now(evening, hall),
        "seconds": SECONDS,
        "zone": settings.TIME_ZONE,
        "clock": clock_now(hall),
        "now": timezone.now(),
    } | SCREEN_POLL.context(tag)


# What a hall polls is never refused.
evening_screen.is_polled = True  # type: ignore[attr-defined]


def _club_screen(request: HttpRequest, club: int) -> HttpResponse:
    """The screen of this club's evening: the one being played, else the next, else the last."""
    found = get_object_or_404(Club.objects.shown(), pk=club)
    evenings = Evening.objects.of(found).exclude(state=Evening.State.CANCELLED)
    evening = (
        evenings.filter(state=Evening.State.RUNNING).first()
        or evenings.filter(date__gte=timezone.localdate()).last()
        or evenings.first()
    )
    if evening is None:
        return redirect("club_page", found.slug)
    return redirect("evening_screen", found.slug, evening.slug)


club_screen = opens_for(None, require_safe(never_cache(_club_screen)))
