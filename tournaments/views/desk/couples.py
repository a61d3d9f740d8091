"""Who always plays together and who is never at one table, for every draw of the club."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from clubs.access import may
from clubs.errors import DomainError
from clubs.models import Club, Member
from clubs.permissions import MANAGE_CLUB, actor_of, desk_view
from tournaments.forms.couple_rule import CoupleRuleForm
from tournaments.models import CoupleRule
from tournaments.permissions import KEEP_COUPLES
from tournaments.services.couple_rules import couple_rule_add, couple_rule_remove


@desk_view(KEEP_COUPLES)
@require_http_methods(["GET", "POST"])
def couple_rules(request: HttpRequest, club: Club) -> HttpResponse:
    """What is agreed about two people each; more is agreed below."""
    people = list(Member.objects.of(club).active().by_surname())
    if request.method != "POST":
        return _show(request, club, CoupleRuleForm(people=people))
    form = CoupleRuleForm(request.POST, people=people)
    if form.is_valid() and _add(request, club, form):
        return redirect("couple_rules", club.slug)
    return _show(request, club, form)


@desk_view(KEEP_COUPLES)
@require_POST
def couple_remove(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Take back what was agreed about two people; pressing twice is no fault."""
    gone = couple_rule_remove(club=club, rule_id=pk, actor=actor_of(request))
    if gone:
        words = {"one": gone.one.name, "two": gone.two.name}
        messages.success(request, _("For %(one)s and %(two)s the draw is free again.") % words)
    return redirect("couple_rules", club.slug)


def _add(request: HttpRequest, club: Club, form: CoupleRuleForm) -> bool:
    one, two = form.cleaned_data["one"], form.cleaned_data["two"]
    kind = CoupleRule.Kind(form.cleaned_data["kind"])
    try:
        couple_rule_add(club=club, one=one, two=two, kind=kind, actor=actor_of(request))
    except DomainError as error:
        form.add_error(None, error.message)
        return False
    words = {"one": one.name, "two": two.name, "agreed": kind.label}
    messages.success(
        request, _("%(one)s and %(two)s: %(agreed)s. It counts from the next draw on.") % words
    )
    return True


def _show(request: HttpRequest, club: Club, form: CoupleRuleForm) -> HttpResponse:
    rules = CoupleRule.objects.filter(club=club).select_related("one", "two")
    organises = may(request, MANAGE_CLUB, club)
    context = {
        "club": club,
        "section": "settings" if organises else "evenings",
        "rules": rules.order_by("-kind", "one__sort_name", "two__sort_name", "pk"),
        "form": form,
    }
    status = 422 if form.errors else 200
    return render(request, "tournaments/desk/couples.html", context, status=status)
