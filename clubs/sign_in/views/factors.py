"""One's own second factors: codes of a telephone, recovery codes, passkeys."""

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from clubs.accounts.forms import SureForm
from clubs.accounts.views.accounts import own_view
from clubs.audit.services import Actor
from clubs.http.network import qr_svg
from clubs.http.pages import ConfirmedAction, form_saved, typed
from clubs.http.passkeys import may_ask_for_passkeys, passkeys_work
from clubs.models import CodeSecret, User, has_second_factor
from clubs.sign_in import codes
from clubs.sign_in.forms import CodesForm, CodesOffForm, PasskeyForm
from clubs.sign_in.passkeys import creation_options, passkey_add, passkey_remove
from clubs.sign_in.sessions import sessions_end_others
from clubs.sign_in.views.security import confirmed, own_page

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
