"""To a table by its number and its PIN, for who cannot scan its code."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from clubs.errors import DomainError
from clubs.models import Club
from clubs.permissions import public_view
from tournaments.forms.pin import PinForm
from tournaments.services import pin_evenings, pin_try, token_secret
from tournaments.views.table.access import see_other

TOO_MANY = 429


@require_safe
def pin(request: HttpRequest) -> HttpResponse:
    """The short address on cards and sheets: leads on to the one club that plays now, or asks
    which."""
    playing = Club.objects.filter(pk__in=pin_evenings().values("club")).order_by("name")
    addresses = [(club.name, reverse("club_pin", args=[club.slug])) for club in playing]
    if len(addresses) == 1:
        return see_other(addresses[0][1])
    return render(request, "tournaments/table/pin_clubs.html", {"addresses": addresses})


# A forged request could only lead to a table whose PIN the forger knows; and a phone that keeps no
# cookies can come in all the same.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
@public_view
def club_pin(request: HttpRequest, club: Club) -> HttpResponse:
    """Number and PIN; the right ones lead to the table, as its code would."""
    form, status = PinForm(request.POST if request.method == "POST" else None), 200
    if form.is_valid():
        try:
            token = pin_try(
                club=club,
                table_number=form.cleaned_data["number"],
                pin=form.cleaned_data["pin"],
            )
        except DomainError as error:
            form.add_error(None, error.message)
            status = TOO_MANY if error.code == "pin_blocked" else 422
        else:
            return see_other(reverse("table_page", args=[token_secret(token)]))
    elif form.is_bound:
        status = 422
    context = {"club": club, "pin_form": form, "is_on": pin_evenings().of(club).exists()}
    response = render(request, "tournaments/table/pin.html", context, status=status)
    response.headers["Cache-Control"] = "no-store"
    return response
