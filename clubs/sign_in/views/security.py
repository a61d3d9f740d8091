"""The pages about one's own logins: where one is logged in now, codes, recovery codes and passkeys;
and the page on which a club asks its organisers for a second factor."""

from collections.abc import Sequence
from functools import partial

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from clubs.access.permissions import MANAGE_CLUB, actor_of, desk_view
from clubs.accounts.forms import SureForm
from clubs.accounts.views.accounts import own_view
from clubs.audit.services import Actor
from clubs.http.network import qr_svg
from clubs.http.pages import ConfirmedAction, form_saved, show, typed
from clubs.http.passkeys import may_ask_for_passkeys, passkeys_work
from clubs.models import Club, CodeSecret, Role, User, has_second_factor
from clubs.sign_in import codes
from clubs.sign_in.codes import second_factor_ask
from clubs.sign_in.devices import session_end, sessions_end_others, sessions_open
from clubs.sign_in.forms import CodesForm, CodesOffForm, PasskeyForm
from clubs.sign_in.passkeys import creation_options, passkey_add, passkey_remove
from clubs.text.errors import DomainError


@own_view
def account_security(request: HttpRequest, user: User) -> HttpResponse:
    """Where one is logged in, and what logging in asks for."""
    return own_page(
        request,
        "sign_in/security.html",
        sessions=sessions_open(user, request.session.session_key),
        has_codes=CodeSecret.objects.filter(user=user).exists(),
        passkeys=user.passkeys.all(),
        passkeys_work=passkeys_work(request),
        recovery_left=user.recovery_codes.count(),
        asking=[] if has_second_factor(user) else _clubs_asking(user),
    )


@own_view
def login_session_end(request: HttpRequest, user: User, handle: str) -> HttpResponse:
    """Log out one browser, after a confirmation."""

    def act() -> str:
        session_end(user=user, handle=handle, actor=Actor.of_user(user))
        return _("That device is logged out.")

    confirmation = _question(
        title=_("Log out this device?"),
        text=_("Whoever uses it must log in again. Nothing that was saved is lost."),
        yes=_("Yes, log out"),
        act=act,
    )
    return confirmed(request, confirmation)


@own_view
def login_sessions_end_others(request: HttpRequest, user: User) -> HttpResponse:
    """Log out every browser but this one, after a confirmation."""

    def act() -> str:
        ended = sessions_end_others(
            user=user, current_key=request.session.session_key, actor=Actor.of_user(user)
        )
        words = ngettext("%d device is logged out.", "%d devices are logged out.", ended)
        return words % ended

    confirmation = _question(
        title=_("Log out all other devices?"),
        text=_("Only here you stay logged in. Tokens for programs go on working."),
        yes=_("Yes, log out the others"),
        act=act,
    )
    return confirmed(request, confirmation)


def _clubs_asking(user: User) -> list[Club]:
    """The clubs that this person organises and that ask organisers for a second factor."""
    organised = Club.objects.filter(roles__user=user, roles__kind=Role.Kind.ORGANISER)
    return list(organised.filter(asks_second_factor=True))


def _question(**words: object) -> ConfirmedAction:
    here = reverse("account_security")
    return ConfirmedAction(back_url=here, next_url=here, safe=True, **words)  # type: ignore[arg-type]


def confirmed(request: HttpRequest, confirmation: ConfirmedAction) -> HttpResponse:
    """Ask on a page of one's own account, and act on a yes."""
    return confirmation.respond(
        request, partial(own_page, request, "accounts/account_confirm.html")
    )


def own_page(
    request: HttpRequest,
    template: str,
    *,
    form: Form | None = None,
    status: int | None = None,
    **context: object,
) -> HttpResponse:
    """A page below *Logging in safely*; 422 when its form has errors."""
    faulty = form is not None and form.is_bound and bool(form.errors)
    return render(
        request,
        f"clubs/{template}",
        {"form": form, **context},
        status=status or (422 if faulty else 200),
    )


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "HEAD", "POST"])
def club_second_factor(request: HttpRequest, club: Club) -> HttpResponse:
    """Who of the organisers has a second factor, and whether it is asked for; a POST changes it."""
    if request.method == "POST":
        asks = request.POST.get("asks") == "yes"
        try:
            second_factor_ask(club=club, asks=asks, actor=actor_of(request))
        except DomainError as error:
            messages.error(request, error.message)
        else:
            messages.success(request, _("Saved."))
        return redirect("club_second_factor", club.slug)
    organisers = User.objects.filter(roles__club=club, roles__kind=Role.Kind.ORGANISER)
    organisers = organisers.select_related("code_secret").prefetch_related("passkeys")
    people = [
        (user, hasattr(user, "code_secret") or bool(user.passkeys.all()))
        for user in organisers.order_by("name", "email")
    ]
    return show(
        request,
        "sign_in/club.html",
        club,
        "settings",
        people=people,
        is_ready=any(ready for user, ready in people if user == request.user),
    )


SECRET = "codes_secret"  # noqa: S105
"""Session key of the secret that the telephone was shown and has not shown to have."""


@own_view
def login_codes(request: HttpRequest, user: User) -> HttpResponse:
    """Set up codes: the telephone scans the secret and shows with a first code that it has it."""
    if CodeSecret.objects.filter(user=user).exists():
        return redirect("account_security")
    secret: str = request.session.setdefault(SECRET, codes.secret_new())
    form = CodesForm(typed(request), request=request)
    made: list[str] = []
    if form_saved(form, lambda: made.extend(_set_up(user, secret, form))):
        del request.session[SECRET]
        return _set_up_done(request, user, made)
    url = codes.setup_url(user, secret)
    return own_page(
        request,
        "sign_in/codes.html",
        form=form,
        code=qr_svg(url),
        secret=codes.in_fours(secret),
        url=url,
    )


@own_view
def login_codes_off(request: HttpRequest, user: User) -> HttpResponse:
    get_object_or_404(CodeSecret, user=user)
    form = CodesOffForm(typed(request), request=request)
    actor = Actor.of_user(user)
    if form_saved(
        form,
        lambda: codes.codes_turn_off(user=user, code=form.cleaned_data["code"], actor=actor),
    ):
        messages.success(request, _("Logging in asks for no code any more."))
        return redirect("account_security")
    return own_page(request, "sign_in/codes_off.html", form=form)


@own_view
def recovery_codes(request: HttpRequest, user: User) -> HttpResponse:
    """Make ten new recovery codes; only this response shows them."""
    if not has_second_factor(user):
        return redirect("account_security")
    form = SureForm(typed(request), request=request)
    if form.is_valid():
        made = codes.recovery_codes_make(user=user, actor=Actor.of_user(user))
        return _recovery_page(request, made)
    return own_page(request, "sign_in/recovery_ask.html", form=form)


@may_ask_for_passkeys
@own_view
def passkey_new(request: HttpRequest, user: User) -> HttpResponse:
    """Make a passkey in this browser and keep its public half."""
    form = PasskeyForm(typed(request), request=request)
    made: list[str] = []
    if form_saved(form, lambda: made.extend(_added(request, user, form))):
        return _set_up_done(request, user, made)
    works = passkeys_work(request)
    return own_page(request, "sign_in/passkey_add.html", form=form, passkeys_work=works)


@own_view
def passkey_options(request: HttpRequest, user: User) -> HttpResponse:
    """What the browser is asked to make a passkey of. What is wrong with the form is said first:
    a passkey that was made for nothing would stay on the device."""
    if request.method != "POST" or not passkeys_work(request):
        return JsonResponse({}, status=404)
    form = PasskeyForm(request.POST, request=request)
    if not form.is_valid():
        faults = [str(fault) for faults in form.errors.values() for fault in faults]
        return JsonResponse({"message": " ".join(faults)}, status=422)
    return JsonResponse(creation_options(user, request.session))


@own_view
def passkey_delete(request: HttpRequest, user: User, pk: int) -> HttpResponse:
    passkey = get_object_or_404(user.passkeys, pk=pk)

    def act() -> str:
        passkey_remove(passkey=passkey, actor=Actor.of_user(user))
        return _("The passkey “%s” is removed.") % passkey

    here = reverse("account_security")
    confirmation = ConfirmedAction(
        title=_("Remove the passkey “%s”?") % passkey,
        text=_("It logs nobody in any more. Remove it from the device itself too."),
        yes=_("Yes, remove"),
        back_url=here,
        act=act,
        next_url=here,
        form=SureForm(typed(request), request=request),
    )
    return confirmed(request, confirmation)


def _set_up(user: User, secret: str, form: CodesForm) -> list[str]:
    code = form.cleaned_data["code"]
    return codes.codes_set_up(user=user, secret=secret, code=code, actor=Actor.of_user(user))


def _added(request: HttpRequest, user: User, form: PasskeyForm) -> list[str]:
    return passkey_add(
        user=user,
        name=form.cleaned_data["name"],
        answer=form.cleaned_data["credential"],
        session=request.session,
        actor=Actor.of_user(user),
    )


def _set_up_done(request: HttpRequest, user: User, made: Sequence[str]) -> HttpResponse:
    """After another factor: wherever else somebody was logged in with less, that ends."""
    key = request.session.session_key
    sessions_end_others(user=user, current_key=key, actor=Actor.of_user(user))
    if made:
        return _recovery_page(request, made)
    messages.success(request, _("It is set up. Elsewhere you are logged out."))
    return redirect("account_security")


def _recovery_page(request: HttpRequest, made: Sequence[str]) -> HttpResponse:
    shown = [codes.in_fours(code) for code in made]
    return own_page(request, "sign_in/recovery_codes.html", codes=shown)
