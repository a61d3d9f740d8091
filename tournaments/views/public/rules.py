"""How this club plays: its regulation in plain words, the evening's rules, its own lines."""

from collections.abc import Iterator
from typing import NamedTuple

from django.db.models import Case, Q, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from clubs.models import Club
from clubs.permissions import public_view
from scoring import rules
from scoring.models import Regulation, RuleNote
from scoring.services import rule_notes_of
from scoring.words import pit_word, reader_language
from tournaments.evening_words import evening_rule_lines
from tournaments.models import Evening, EveningQuerySet

PLANNED, RUNNING = Evening.State.PLANNED, Evening.State.RUNNING


class OwnLine(NamedTuple):
    """What the club says about a topic, and the language (`nl`, `en`) that it says it in."""

    title: str
    text: str
    language: str


@require_safe
@public_view
def rules_page(request: HttpRequest, club: Club) -> HttpResponse:
    """The rules of the next evening, or of the one that `?evening=` names; to read or to print."""
    asked = request.GET.get("evening", "")
    evening = get_object_or_404(_with_rules(club).by_slug(asked)) if asked else _next(club)
    regulation = evening.regulation if evening else _newest_regulation(club)
    language = reader_language()
    played = regulation.rules if regulation else rules.Regulation()
    context = {
        "club": club,
        "evening": evening,
        "regulation": regulation,
        "sections": rules.regulation_in_words(played, language, pit_word(club)),
        "cards": rules.card_values(language),
        "evening_lines": evening_rule_lines(evening) if evening else (),
        "own_lines": list(_own_lines(club, language)),
    }
    return render(request, "tournaments/public/rules.html", context)


def _with_rules(club: Club) -> EveningQuerySet:
    """The club's evenings that are, were or will be played by a regulation."""
    found = Evening.objects.of(club).exclude(state=Evening.State.CANCELLED)
    return found.filter(regulation__isnull=False).select_related("club", "regulation")


def _next(club: Club) -> Evening | None:
    """The evening that is being played, else the first still to come, else the last one."""
    evenings = _with_rules(club)
    to_come = Q(state=RUNNING) | Q(state=PLANNED, date__gte=timezone.localdate())
    running_first = Case(When(state=RUNNING, then=0), default=1)
    next_one = evenings.filter(to_come).order_by(running_first, "date", "sequence").first()
    return next_one or evenings.first()


def _newest_regulation(club: Club) -> Regulation | None:
    return club.regulations.order_by("created_at", "pk").last()


def _own_lines(club: Club, language: rules.Language) -> Iterator[OwnLine]:
    for topic, note in rule_notes_of(club).items():
        if not note.text:
            continue
        english = language == "en" and bool(note.text_en)
        yield OwnLine(
            title=str(RuleNote.Topic(topic).label),
            text=note.text_en if english else note.text,
            language="en" if english else "nl",
        )
