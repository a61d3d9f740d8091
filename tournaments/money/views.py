"""Desk pages of money with their forms: membership fees of a season or a calendar year, packages
of evenings, and the pot."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.core.validators import MaxValueValidator, MinValueValidator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
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
from tournaments.evenings.pages import find_season, posted_member, refusals_shown
from tournaments.models import FeePayment, FeeYear, Package, Season
from tournaments.money.queries import (
    FeeList,
    FeePeriod,
    FeeRow,
    PackageRow,
    Pot,
    PotRow,
    fee_due,
    fee_list,
    fee_payment_of,
    fees_overview,
    package_rows,
    season_pot,
)
from tournaments.money.services import (
    fee_note,
    fee_year_open,
    fees_set,
    fees_tick,
    package_add,
    package_remove,
    pot_entry_add,
    pot_entry_remove,
)
from tournaments.registration.forms import ticked


def day_field(label: Any, *, required: bool = True) -> forms.DateField:
    """A day, from 1900 to 2199; today unless given."""
    return forms.DateField(
        label=label,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        validators=[MinValueValidator(FIRST_DAY), MaxValueValidator(LAST_DAY)],
        initial=timezone.localdate,
        required=required,
    )


class FeeYearForm(forms.Form):
    """A calendar year to ask a membership fee for."""

    year = forms.IntegerField(
        label=_("Calendar year"),
        min_value=FIRST_DAY.year,
        max_value=LAST_DAY.year,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )


class FeeAmountsForm(forms.Form):
    """What is asked of members and guests for a season or a calendar year."""

    fee = MoneyField(label=_("What a member pays"), required=False)
    reduced = MoneyField(
        label=_("Who pays less"),
        help_text=_("For example young people, or somebody who joins halfway."),
        required=False,
    )
    guest = MoneyField(
        label=_("What a guest pays"),
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
def fee_periods(request: HttpRequest, club: Club) -> HttpResponse:
    """The calendar years and seasons for which a membership fee is asked; a POST adds a year."""
    form = FeeYearForm(typed(request), initial={"year": timezone.localdate().year})
    if form_saved(
        form, lambda: fee_year_open(club=club, actor=actor_of(request), **form.cleaned_data)
    ):
        return redirect("year_fees", club.slug, form.cleaned_data["year"])
    context = {"club": club, "section": "members", "rows": fees_overview(club), "form": form}
    status = 422 if form.errors else 200
    return render(request, "tournaments/money/fee_periods.html", context, status=status)


@desk_view(KEEP_MONEY)
@require_http_methods(["GET", "POST"])
def fees_page(
    request: HttpRequest, club: Club, season_slug: str = "", year: int = 0
) -> HttpResponse:
    """Who has paid the fee of a season or a year; with `?unpaid` those who have not. Only the
    difference with what the page showed is saved."""
    period = _period(club, season_slug, year)
    if request.method == "POST":
        with refusals_shown(request):
            _ticks_save(request, period)
        return redirect(_address(period))
    fees = fee_list(period)
    rows = fees.unpaid if "unpaid" in request.GET else fees.rows
    return list_response(request, lambda: _fees_file(period, rows)) or _fees(request, fees)


@desk_view(KEEP_MONEY)
@require_POST
def fee_tick(
    request: HttpRequest, club: Club, season_slug: str = "", year: int = 0
) -> HttpResponse:
    """One tick, saved at once: answers with the sums."""
    period = _period(club, season_slug, year)
    member = posted_member(request, club)
    has_paid = str(member.pk) in request.POST.getlist("paid")
    paid, taken_back = ([member], []) if has_paid else ([], [member])
    _tick(request, period, paid, taken_back)
    return render(request, "tournaments/money/fees_sum.html", {"fees": fee_list(period)})


@desk_view(KEEP_MONEY)
@require_POST
def fees_amounts(
    request: HttpRequest, club: Club, season_slug: str = "", year: int = 0
) -> HttpResponse:
    """Set what is asked for a season or a year."""
    period = _period(club, season_slug, year)
    form = FeeAmountsForm(request.POST)
    if form_saved(
        form, lambda: fees_set(period=period, actor=actor_of(request), **form.cleaned_data)
    ):
        messages.success(request, gettext("The membership fee is saved."))
        return redirect(_address(period))
    return _fees(request, fee_list(_period(club, season_slug, year)), amounts=form)


@desk_view(KEEP_MONEY)
@require_http_methods(["GET", "POST"])
def fee_edit(
    request: HttpRequest, club: Club, pk: int, season_slug: str = "", year: int = 0
) -> HttpResponse:
    """What is noted of somebody's membership fee: rate, sum, day and remark."""
    period = _period(club, season_slug, year)
    member = of_club(club, Member, pk=pk)
    payment = fee_payment_of(period, member)
    initial = {name: getattr(payment, name) for name in ("rate", "paid", "remark")}
    initial["paid_on"] = payment.paid_on or timezone.localdate()
    form = FeePaymentForm(typed(request), initial=initial)
    if form_saved(
        form,
        lambda: fee_note(
            period=period, member=member, actor=actor_of(request), **form.cleaned_data
        ),
    ):
        messages.success(request, gettext("What %s pays has been noted.") % member.desk_name)
        return redirect(_address(period))
    context = {
        **_about(period),
        "member": member,
        "form": form,
        "due": fee_due(period, member, payment.rate),
    }
    status = 422 if form.errors else 200
    return render(request, "tournaments/money/fee_edit.html", context, status=status)


def _period(club: Club, season_slug: str, year: int) -> FeePeriod:
    """What the address asks a fee for; Http404 if there is nothing."""
    if season_slug:
        return find_season(club, season_slug)
    found = get_object_or_404(FeeYear, club=club, year=year)
    found.club = club
    return found


def _address(period: FeePeriod) -> str:
    """The page of who has paid."""
    if isinstance(period, FeeYear):
        return reverse("year_fees", args=[period.club.slug, period.year])
    return reverse("season_fees", args=[period.club.slug, period.slug])


def _about(period: FeePeriod) -> dict[str, object]:
    """What pages of a fee have in common: its period, and their addresses begin with `page`."""
    return {
        "club": period.club,
        "section": "members" if isinstance(period, FeeYear) else "seasons",
        "period": period,
        "season": period if isinstance(period, Season) else None,
        "page": _address(period),
    }


def _ticks_save(request: HttpRequest, period: FeePeriod) -> None:
    paid = ticked(request.POST.getlist("paid"))
    shown = ticked(request.POST.getlist("paid_shown"))
    people = Member.objects.of(period.club)
    come, gone = people.filter(pk__in=paid - shown), people.filter(pk__in=shown - paid)
    _tick(request, period, list(come), list(gone))


def _tick(
    request: HttpRequest, period: FeePeriod, paid: Sequence[Member], taken_back: Sequence[Member]
) -> None:
    fees_tick(
        period=period,
        paid=paid,
        taken_back=taken_back,
        on=timezone.localdate(),
        actor=actor_of(request),
    )


def _fees(
    request: HttpRequest, fees: FeeList, amounts: FeeAmountsForm | None = None
) -> HttpResponse:
    period = fees.period
    now = {"fee": period.fee, "reduced": period.fee_reduced, "guest": period.fee_guest}
    only_unpaid = "unpaid" in request.GET
    context = {
        **_about(period),
        "fees": fees,
        "rows": fees.unpaid if only_unpaid else fees.rows,
        "only_unpaid": only_unpaid,
        "asked": any(now.values()),
        "amounts": amounts or FeeAmountsForm(initial=now),
        "form": amounts,
    }
    return render(request, "tournaments/money/fees.html", context, status=422 if amounts else 200)


def _fees_file(period: FeePeriod, rows: Sequence[FeeRow]) -> ListFile:
    return ListFile(
        name=gettext("Membership fees %(season)s") % {"season": period.name},
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
        messages.success(request, gettext("Noted."))
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
        messages.success(request, gettext("Removed."))
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
