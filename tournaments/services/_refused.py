"""Why a question has no draw, in words with the names of the people it is about."""

from collections.abc import Collection, Iterable, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.errors import DomainError
from clubs.models import Member
from tournaments.draw.core import Couple, DrawError, DrawFault
from tournaments.services._question import DrawProblem

SENTENCES: Mapping[str, Promise] = {
    "too_few_players": gettext_lazy(
        "A draw needs at least four people who are here. Tick them first."
    ),
    "five_three_handed": gettext_lazy(
        "Five people cannot sit at tables of four and three. Let who is left over sit out, or draw "
        "by hand: three at one table and two at another."
    ),
    "couples_contradict": gettext_lazy(
        "This contradicts itself: %(together)s play together, and it is agreed that they are never "
        "at one table. Change their pair under “Pairs”, or what is agreed under “Together or "
        "apart”."
    ),
    "too_many_stay": gettext_lazy(
        "%(count)s people keep a table of their own, and the tables are %(tables)s."
    ),
    "cannot_seat": gettext_lazy(
        "What is agreed leaves no way to seat everybody: %(agreed)s. Take something of it away "
        "under “Together or apart”."
    ),
}


def draw_refusal(error: DrawError, problem: DrawProblem) -> DomainError:
    """The refusal with the code of the error and a sentence for each of its faults."""
    sentences = (_sentence(fault, problem) for fault in error.faults)
    return DomainError(error.code, " ".join(sentences))


def _sentence(fault: DrawFault, problem: DrawProblem) -> str:
    if fault.code not in SENTENCES:
        return _("This draw cannot be made: %(why)s") % {"why": str(fault)}
    words = _agreed_words(problem) if fault.code in ("couples_contradict", "cannot_seat") else {}
    return str(SENTENCES[fault.code]) % {**fault.params, **words}


def _agreed_words(problem: DrawProblem) -> dict[str, str]:
    """Who plays together and is kept apart as well (`together`), and all that is `agreed` about
    those who are here; the pairs of an evening in fixed pairs are no agreement."""
    fixed = _both_here(problem.fixed, problem.players)
    apart = _both_here(problem.apart, problem.players)
    names = _names([*fixed, *apart])
    kept_apart = {frozenset(couple) for couple in apart}
    clashing = [couple for couple in fixed if frozenset(couple) in kept_apart]
    agreed = [_("%(couple)s never at one table") % {"couple": names[couple]} for couple in apart]
    if problem.method != "pairs":
        agreed += [_("%(couple)s always together") % {"couple": names[couple]} for couple in fixed]
    return {
        "together": "; ".join(names[couple] for couple in clashing),
        "agreed": "; ".join(agreed),
    }


def _both_here(couples: Iterable[Couple], players: Collection[str]) -> list[Couple]:
    here = frozenset(players)
    return [couple for couple in couples if here.issuperset(couple)]


def _names(couples: Collection[Couple]) -> dict[Couple, str]:
    """What each couple is called. One query."""
    people = Member.objects.in_bulk([int(who) for couple in couples for who in couple])
    name = {str(pk): member.name for pk, member in people.items()}
    return {
        (one, two): _("%(one)s and %(two)s") % {"one": name[one], "two": name[two]}
        for one, two in couples
    }
