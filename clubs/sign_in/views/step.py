"""The second step of logging in: a code or a passkey; and logging in with a passkey alone."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from clubs.accounts.logins import PendingLogin, log_in_fully, pending_login
from clubs.accounts.views.accounts import may_try, own_place, too_often
from clubs.http.pages import form_saved, typed
from clubs.http.passkeys import may_ask_for_passkeys, passkey_host, passkeys_work
from clubs.models import CodeSecret, User
from clubs.sign_in.codes import code_use
from clubs.sign_in.forms import RecoveryForm, StepForm
from clubs.sign_in.passkeys import passkey_use, request_options
from clubs.text.errors import DomainError


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
        raise DomainError("other_person", _("This passkey is of somebody else."))


def _wanted(request: HttpRequest) -> str:
    """The page of this site that was asked for before logging in, or nothing."""
    wanted = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(
        wanted, {request.get_host()}, require_https=request.is_secure()
    )
    return wanted if is_ours else ""


def _begin_again(request: HttpRequest) -> HttpResponse:
    if request.method == "POST":
        messages.warning(request, _("That took too long. Type your password once more."))
    return redirect("login")
