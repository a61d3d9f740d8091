"""Desk pages of money with their forms: membership fees of a season, packages of evenings, and the
pot."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.core.validators import MaxValueValidator, MinValueValidator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

from clubs.access.permissions import KEEP_MONEY, actor_of, desk_view, of_club
from clubs.files.exports import ListFile, list_response
from clubs.http.pages import form_saved, typed
from clubs.models import Club, Member
from clubs.text.numbers import FIRST_DAY, LAST_DAY, MoneyField, euros, money
from tournaments.evenings.desk_pages import find_season, posted_member, refusals_shown
from tournaments.models import FeePayment, Package, Season
from tournaments.money.queries import (
    FeeList,
    FeeRow,
    PackageRow,
    Pot,
    PotRow,
    fee_due,
    fee_list,
    package_rows,
    season_pot,
)
from tournaments.money.services import (
    fee_note,
    fees_set,
    fees_tick,
    package_add,
    package_remove,
    pot_entry_add,
    pot_entry_remove,
)
from tournaments.registration.forms import ticked


def day_field(label: Any, *, required: bool = True) -> forms.DateField:
    """A day, from 1900 to 2199; today unless told."""
    return forms.DateField(
        label=label,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        validators=[MinValueValidator(FIRST_DAY), MaxValueValidator(LAST_DAY)],
        initial=timezone.localdate,
        required=required,
    )


class FeeAmountsForm(forms.Form):
    """What is asked of members and guests for a season."""

    fee = MoneyField(label=_("A member pays"), required=False)
    reduced = MoneyField(
        label=_("Who pays less"),
        help_text=_("For example young people, or somebody who joins halfway."),
        required=False,
    )
    guest = MoneyField(
        label=_("A guest pays"),
        help_text=_("Leave empty if guests pay no membership fee: then they are not on the list."),
        required=False,
    )


class FeePaymentForm(forms.Form):
    """What is noted of somebody's membership fee."""

    rate = forms.ChoiceField(
        label=_("What they pay"), choices=FeePayment.Rate.choices, widget=forms.RadioSelect
    )
    paid = MoneyField(
        label=_("Paid so far"), help_text=_("Leave empty if nothing was paid yet."), required=False
    )
    paid_on = day_field(_("On which day"), required=False)
    remark = forms.CharField(
        label=_("Remark"), max_length=200, required=False, help_text=_("Such as: by bank transfer.")
    )


class PackageForm(forms.Form):
    """Evenings that somebody pays for beforehand."""

    member = forms.ModelChoiceField(
        Member.objects.none(), label=_("Who"), empty_label=_("Choose a name")
    )
    evenings = forms.IntegerField(
        label=_("How many evenings"),
        min_value=1,
        max_value=Package.MOST_EVENINGS,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    price = MoneyField(label=_("For how much in all"))
    bought_on = day_field(_("Paid on"))
    remark = forms.CharField(label=_("Remark"), max_length=200, required=False)

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = Member.objects.of(club).filter(erased_at=None, is_active=True).by_surname()
        self.fields["member"].queryset = people  # type: ignore[attr-defined]
        last = club.packages.order_by("-pk").first()
        if last is not None:
            self.initial = {"evenings": last.evenings, "price": last.price, **self.initial}


class PotEntryForm(forms.Form):
    """Something else that goes in or out of the pot."""

    way = forms.ChoiceField(
        label=_("In or out"),
        choices=[("in", _("it goes into the pot")), ("out", _("it comes out of the pot"))],
        widget=forms.RadioSelect,
        initial="in",
    )
    what = forms.CharField(
        label=_("What it is for"),
        max_length=100,
        help_text=_("Such as: left over from last season, raffle, flowers."),
    )
    sum = MoneyField(label=_("How much"))
    booked_on = day_field(_("On which day"))

    def cents(self) -> int:
        """The sum, negative if it comes out; the form must be valid."""
        cents: int = self.cleaned_data["sum"]
        return cents if self.cleaned_data["way"] == "in" else -cents


@desk_view(KEEP_MONEY)
@require_http_methods(["GET", "POST"])
def fees_page(request: HttpRequest, club: Club, season_slug: str) -> HttpResponse:
    """Who has paid the membership fee of a season; with `?unpaid` those who have not. Only the
    difference with what the page showed is saved."""
    season = find_season(club, season_slug)
    if request.method == "POST":
        with refusals_shown(request):
            _ticks_save(request, season)
        return redirect("season_fees", club.slug, season.slug)
    fees = fee_list(season)
    rows = fees.unpaid if "unpaid" in request.GET else fees.rows
    return list_response(request, lambda: _fees_file(season, rows)) or _fees(request, fees)


@desk_view(KEEP_MONEY)
@require_POST
def fee_tick(request: HttpRequest, club: Club, season_slug: str) -> HttpResponse:
    """One tick, saved at once: answers with the sums."""
    season = find_season(club, season_slug)
    member = posted_member(request, club)
    has_paid = str(member.pk) in request.POST.getlist("paid")
    paid, taken_back = ([member], []) if has_paid else ([], [member])
    _tick(request, season, paid, taken_back)
    return render(request, "tournaments/money/fees_sum.html", {"fees": fee_list(season)})


@desk_view(KEEP_MONEY)
@require_POST
def fees_amounts(request: HttpRequest, club: Club, season_slug: str) -> HttpResponse:
    """Set what is asked for a season."""
    season = find_season(club, season_slug)
    form = FeeAmountsForm(request.POST)
    if form_saved(
        form, lambda: fees_set(season=season, actor=actor_of(request), **form.cleaned_data)
    ):
        messages.success(request, gettext("The membership fee is saved."))
        return redirect("season_fees", club.slug, season.slug)
    return _fees(request, fee_list(find_season(club, season_slug)), amounts=form)


@desk_view(KEEP_MONEY)
@require_http_methods(["GET", "POST"])
def fee_edit(request: HttpRequest, club: Club, season_slug: str, pk: int) -> HttpResponse:
    """What is noted of somebody's membership fee: rate, sum, day and remark."""
    season = find_season(club, season_slug)
    member = of_club(club, Member, pk=pk)
    payment = season.fee_payments.filter(member=member).first()
    initial = {"rate": "usual", "paid_on": timezone.localdate()}
    if payment is not None:
        initial = {name: getattr(payment, name) for name in ("rate", "paid", "remark")}
        initial["paid_on"] = payment.paid_on or timezone.localdate()
    form = FeePaymentForm(typed(request), initial=initial)
    if form_saved(
        form,
        lambda: fee_note(
            season=season, member=member, actor=actor_of(request), **form.cleaned_data
        ),
    ):
        messages.success(request, gettext("It is noted what %s pays.") % member.desk_name)
        return redirect("season_fees", club.slug, season.slug)
    context = {
        "club": club,
        "section": "seasons",
        "season": season,
        "member": member,
        "form": form,
        "due": fee_due(season, member, payment.rate if payment else ""),
    }
    status = 422 if form.errors else 200
    return render(request, "tournaments/money/fee_edit.html", context, status=status)


def _ticks_save(request: HttpRequest, season: Season) -> None:
    paid = ticked(request.POST.getlist("paid"))
    shown = ticked(request.POST.getlist("paid_shown"))
    people = Member.objects.of(season.club)
    come, gone = people.filter(pk__in=paid - shown), people.filter(pk__in=shown - paid)
    _tick(request, season, list(come), list(gone))


def _tick(
    request: HttpRequest, season: Season, paid: Sequence[Member], taken_back: Sequence[Member]
) -> None:
    fees_tick(
        season=season,
        paid=paid,
        taken_back=taken_back,
        on=timezone.localdate(),
        actor=actor_of(request),
    )


def _fees(
    request: HttpRequest, fees: FeeList, amounts: FeeAmountsForm | None = None
) -> HttpResponse:
    season = fees.season
    now = {"fee": season.fee, "reduced": season.fee_reduced, "guest": season.fee_guest}
    only_unpaid = "unpaid" in request.GET
    context = {
        "club": season.club,
        "section": "seasons",
        "season": season,
        "fees": fees,
        "rows": fees.unpaid if only_unpaid else fees.rows,
        "only_unpaid": only_unpaid,
        "asked": any(now.values()),
        "amounts": amounts or FeeAmountsForm(initial=now),
        "form": amounts,
    }
    return render(request, "tournaments/money/fees.html", context, status=422 if amounts else 200)


def _fees_file(season: Season, rows: Sequence[FeeRow]) -> ListFile:
    return ListFile(
        name=gettext("Membership fees %(season)s") % {"season": season.name},
        columns={
            "number": gettext("Number"),
            "player": gettext("Name"),
            "rate": gettext("What they pay"),
            "due": gettext("Asked"),
            "paid": gettext("Paid"),
            "paid_on": gettext("Paid on"),
            "to_come": gettext("To come"),
            "remark": gettext("Remark"),
        },
        rows=[
            (
                row.member.number,
                row.member.desk_name,
                str(row.payment.get_rate_display()),
                euros(row.due),
                euros(row.payment.paid),
                row.payment.paid_on.isoformat() if row.payment.paid_on else "",
                euros(row.owes),
                row.payment.remark,
            )
            for row in rows
        ],
    )


@desk_view(KEEP_MONEY)
@require_http_methods(["GET", "POST"])
def package_list(request: HttpRequest, club: Club) -> HttpResponse:
    """Who paid for evenings beforehand, and how many are left; another one is added below."""
    form = PackageForm(typed(request), club=club)
    if form_saved(
        form, lambda: package_add(club=club, actor=actor_of(request), **form.cleaned_data)
    ):
        words = {
            "name": form.cleaned_data["member"].desk_name,
            "n": form.cleaned_data["evenings"],
            "sum": money(form.cleaned_data["price"]),
        }
        messages.success(
            request, gettext("Noted: %(name)s has %(n)s evenings for %(sum)s.") % words
        )
        return redirect("package_list", club.slug)
    rows = package_rows(club)
    context = {
        "club": club,
        "section": "members",
        "rows": rows,
        "left": sum(row.left for row in rows),
        "form": form,
    }
    page = list_response(request, lambda: _packages_file(club, rows))
    status = 422 if form.errors else 200
    return page or render(request, "tournaments/money/packages.html", context, status=status)


@desk_view(KEEP_MONEY)
@require_POST
def package_take_away(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Remove a package of which nothing was used; doing it twice is harmless."""
    package = Package.objects.filter(club=club, pk=pk).select_related("member").first()
    with refusals_shown(request):
        if package is not None:
            package_remove(package=package, actor=actor_of(request))
            messages.success(
                request, gettext("The package of %s is removed.") % package.member.desk_name
            )
    return redirect("package_list", club.slug)


def _packages_file(club: Club, rows: Sequence[PackageRow]) -> ListFile:
    return ListFile(
        name=gettext("Packages %(club)s") % {"club": club.name},
        columns={
            "player": gettext("Name"),
            "bought_on": gettext("Paid on"),
            "price": gettext("Price"),
            "evenings": gettext("Evenings"),
            "used": gettext("Used"),
            "left": gettext("Left"),
            "remark": gettext("Remark"),
        },
        rows=[
            (
                row.package.member.desk_name,
                row.package.bought_on.isoformat(),
                euros(row.package.price),
                row.package.evenings,
                row.used,
                row.left,
                row.package.remark,
            )
            for row in rows
        ],
    )


@desk_view(KEEP_MONEY)
@require_http_methods(["GET", "POST"])
def pot_page(request: HttpRequest, club: Club, season_slug: str) -> HttpResponse:
    """The pot over a season, evening by evening; something else in or out is noted below."""
    season = find_season(club, season_slug)
    form = PotEntryForm(typed(request))
    if form_saved(
        form,
        lambda: pot_entry_add(
            season=season,
            booked_on=form.cleaned_data["booked_on"],
            what=form.cleaned_data["what"],
            cents=form.cents(),
            actor=actor_of(request),
        ),
    ):
        messages.success(request, gettext("It is noted."))
        return redirect("season_pot", club.slug, season.slug)
    pot = season_pot(season)
    context = {"club": club, "section": "seasons", "season": season, "pot": pot, "form": form}
    page = list_response(request, lambda: _pot_file(season, pot))
    status = 422 if form.errors else 200
    return page or render(request, "tournaments/money/pot.html", context, status=status)


@desk_view(KEEP_MONEY)
@require_POST
def pot_entry_take_away(
    request: HttpRequest, club: Club, season_slug: str, pk: int
) -> HttpResponse:
    """Remove what was noted by mistake; doing it twice is harmless."""
    season = find_season(club, season_slug)
    entry = season.pot_entries.filter(pk=pk).first()
    if entry is not None:
        entry.season = season
        pot_entry_remove(entry=entry, actor=actor_of(request))
        messages.success(request, gettext("It is removed."))
    return redirect("season_pot", club.slug, season.slug)


def _pot_file(season: Season, pot: Pot) -> ListFile:
    return ListFile(
        name=gettext("Pot %(season)s") % {"season": season.name},
        columns={
            "date": gettext("Date"),
            "what": gettext("What"),
            "in": gettext("In"),
            "out": gettext("Out"),
            "left": gettext("Left over"),
            "total": gettext("In the pot"),
        },
        rows=[
            (
                row.day.isoformat() if row.day else "",
                pot_row_words(row),
                euros(row.paid_in),
                euros(row.paid_out),
                euros(row.remainder),
                euros(row.total),
            )
            for row in pot.rows
        ],
    )


def pot_row_words(row: PotRow) -> str:
    """What a row of the pot is about."""
    if row.entry:
        return row.entry.what
    if row.evening:
        return row.evening.name or gettext("evening of %s") % date_format(row.evening.date, "j F Y")
    return gettext("Prizes of the season")
