"""The second step of logging in, and passkeys alone; the pages about one's own logins: where one is
logged in now, codes, recovery codes and passkeys; and the page on which a club asks its organisers
for a second factor."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from django import forms
from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from clubs.access.permissions import MANAGE_CLUB, actor_of, desk_view
from clubs.accounts.forms import SureForm
from clubs.accounts.logins import PendingLogin, log_in_fully, pending_login
from clubs.accounts.views.accounts import may_try, own_place, own_view, too_often
from clubs.audit.services import Actor
from clubs.http.network import may_ask_for_passkeys, passkey_host, passkeys_work, qr_svg
from clubs.http.pages import ConfirmedAction, form_saved, show, typed
from clubs.models import Club, CodeSecret, Role, User, has_second_factor
from clubs.sign_in import second_factors
from clubs.sign_in.devices import session_end, sessions_end_others, sessions_open
from clubs.sign_in.second_factors import (
    code_use,
    creation_options,
    passkey_add,
    passkey_remove,
    passkey_use,
    request_options,
    second_factor_ask,
)
from clubs.text.errors import DomainError

LONGEST_CODE = 40


def _code_field(label: "StrOrPromise", *, digits: bool) -> forms.CharField:
    kind = {"inputmode": "numeric"} if digits else {"autocapitalize": "characters"}
    attributes = {"autocomplete": "one-time-code", "spellcheck": "false", **kind}
    return forms.CharField(
        label=label, max_length=LONGEST_CODE, widget=forms.TextInput(attrs=attributes)
    )


class StepForm(forms.Form):
    """The code of the telephone."""

    code = _code_field(_("The code on your phone"), digits=True)


class RecoveryForm(forms.Form):
    """A recovery code."""

    code = _code_field(_("One of your recovery codes"), digits=False)


class CodesForm(SureForm):
    """The first code of a telephone that has the secret."""

    code = _code_field(_("The six digits on your phone"), digits=True)
    field_order = ["code", "current"]


class CodesOffForm(SureForm):
    """A last code, of the telephone or a recovery code."""

    code = _code_field(_("A code on your phone, or a recovery code"), digits=False)
    field_order = ["code", "current"]


class PasskeyForm(SureForm):
    """The name of a new passkey, with what the browser made."""

    name = forms.CharField(
        label=_("What do you call it?"),
        max_length=60,
        help_text=_("So that you recognise it, for example: my phone."),
    )
    credential = forms.CharField(widget=forms.HiddenInput, required=False)
    field_order = ["name", "current", "credential"]


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
        return gettext("That device is logged out.")

    confirmation = _question(
        title=gettext("Log out this device?"),
        text=gettext("Whoever uses it must log in again. Nothing that was saved is lost."),
        yes=gettext("Yes, log out"),
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
        title=gettext("Log out all other devices?"),
        text=gettext("Only here you stay logged in. Tokens for programs go on working."),
        yes=gettext("Yes, log out the others"),
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
            messages.success(request, gettext("Saved."))
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
    secret: str = request.session.setdefault(SECRET, second_factors.secret_new())
    form = CodesForm(typed(request), request=request)
    made: list[str] = []
    if form_saved(form, lambda: made.extend(_set_up(user, secret, form))):
        del request.session[SECRET]
        return _set_up_done(request, user, made)
    url = second_factors.setup_url(user, secret)
    return own_page(
        request,
        "sign_in/codes.html",
        form=form,
        code=qr_svg(url),
        secret=second_factors.in_fours(secret),
        url=url,
    )


@own_view
def login_codes_off(request: HttpRequest, user: User) -> HttpResponse:
    get_object_or_404(CodeSecret, user=user)
    form = CodesOffForm(typed(request), request=request)
    actor = Actor.of_user(user)
    if form_saved(
        form,
        lambda: second_factors.codes_turn_off(
            user=user, code=form.cleaned_data["code"], actor=actor
        ),
    ):
        messages.success(request, gettext("Logging in asks for no code any more."))
        return redirect("account_security")
    return own_page(request, "sign_in/codes_off.html", form=form)


@own_view
def recovery_codes(request: HttpRequest, user: User) -> HttpResponse:
    """Make ten new recovery codes; only this response shows them."""
    if not has_second_factor(user):
        return redirect("account_security")
    form = SureForm(typed(request), request=request)
    if form.is_valid():
        made = second_factors.recovery_codes_make(user=user, actor=Actor.of_user(user))
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
        return gettext("The passkey “%s” is removed.") % passkey

    here = reverse("account_security")
    confirmation = ConfirmedAction(
        title=gettext("Remove the passkey “%s”?") % passkey,
        text=gettext("It logs nobody in any more. Remove it from the device itself too."),
        yes=gettext("Yes, remove"),
        back_url=here,
        act=act,
        next_url=here,
        form=SureForm(typed(request), request=request),
    )
    return confirmed(request, confirmation)


def _set_up(user: User, secret: str, form: CodesForm) -> list[str]:
    code = form.cleaned_data["code"]
    return second_factors.codes_set_up(
        user=user, secret=secret, code=code, actor=Actor.of_user(user)
    )


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
    messages.success(request, gettext("It is set up. Elsewhere you are logged out."))
    return redirect("account_security")


def _recovery_page(request: HttpRequest, made: Sequence[str]) -> HttpResponse:
    shown = [second_factors.in_fours(code) for code in made]
    return own_page(request, "sign_in/recovery_codes.html", codes=shown)


@never_cache
@may_ask_for_passkeys
@require_http_methods(["GET", "HEAD", "POST"])
def login_step(request: HttpRequest) -> HttpResponse:
    """Asks somebody whose password was right for a code or a passkey, and logs them in."""
    pending = pending_login(request)
    if pending is None:
        return _begin_again(request)
    if request.method == "POST" and not may_try(request):
        return too_often(request)
    user = User.objects.get(pk=pending["user"])
    has_codes = CodeSecret.objects.filter(user=user).exists()
    by_recovery = not has_codes or "recovery" in request.GET
    form = (RecoveryForm if by_recovery else StepForm)(typed(request))
    if form_saved(form, lambda: code_use(user=user, code=form.cleaned_data["code"])):
        log_in_fully(request, user)
        return redirect(pending["next"])
    context = {
        "step_form": form,
        "by_recovery": by_recovery,
        "has_codes": has_codes,
        "has_passkeys": user.passkeys.exists(),
        "passkeys_work": passkeys_work(request),
        "passkey_host": passkey_host(),
    }
    status = 422 if form.is_bound else 200
    return render(request, "clubs/sign_in/step.html", context, status=status)


@never_cache
@require_POST
def passkey_login_options(request: HttpRequest) -> HttpResponse:
    """What the browser is asked to show a passkey by."""
    if not passkeys_work(request):
        return JsonResponse({}, status=404)
    if not may_try(request):
        return JsonResponse({}, status=429)
    pending = pending_login(request)
    user = None if pending is None else User.objects.get(pk=pending["user"])
    return JsonResponse(request_options(user, request.session))


@never_cache
@require_POST
def passkey_login(request: HttpRequest) -> HttpResponse:
    """Logs in with a passkey, which is both factors; after a password only its owner's own."""
    if not may_try(request):
        return too_often(request)
    pending = pending_login(request)
    try:
        user = passkey_use(answer=request.POST.get("credential", ""), session=request.session)
        _require_owner(user, pending)
    except DomainError as error:
        messages.error(request, error.message)
        return redirect("login" if pending is None else "login_step")
    next_url = pending["next"] if pending else _wanted(request) or own_place(user)
    log_in_fully(request, user)
    return redirect(next_url)


def _require_owner(user: User, pending: PendingLogin | None) -> None:
    if pending is not None and user.pk != pending["user"]:
        raise DomainError("other_person", gettext("This passkey is of somebody else."))


def _wanted(request: HttpRequest) -> str:
    """The page of this site that was asked for before logging in, or nothing."""
    wanted = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(
        wanted, {request.get_host()}, require_https=request.is_secure()
    )
    return wanted if is_ours else ""


def _begin_again(request: HttpRequest) -> HttpResponse:
    if request.method == "POST":
        messages.warning(request, gettext("That took too long. Type your password once more."))
    return redirect("login")


if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise
