"""A club's team: its roles, invitations to join it, and links to set a password; and the pages of
links that are mailed."""

from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.access.permissions import MANAGE_CLUB, actor_of, desk_view, of_club, speak_clubs_language
from clubs.accounts.forms import EmailChangeForm, EmailForm, InviteForm, JoinForm, RoleForm
from clubs.accounts.invitations import (
    came_by_mail,
    has_login,
    invitation_accept,
    invitation_find,
    invitation_join,
    invitation_link,
    invitation_mail,
    invitation_make,
    invitation_withdraw,
    is_for,
)
from clubs.accounts.logins import (
    address_link_mail,
    address_links,
    email_change,
    email_keep,
    email_prove,
    email_want,
    is_proved,
    is_spelled_alike,
    log_in,
    login_link_mail,
    login_link_use,
    login_links,
)
from clubs.accounts.services import Act, mail_goes_out, outbox, password_mail, password_mail_missed
from clubs.accounts.views.accounts import (
    back_to_account,
    confirmation_ask,
    may_try,
    own_page,
    own_place,
    own_view,
    too_often,
)
from clubs.audit.services import Actor
from clubs.http.network import login_url, private_links
from clubs.http.pages import ConfirmedAction, confirm, form_saved, show, typed
from clubs.models import Club, Invitation, Role, User
from clubs.profile.services import password_link_make, role_grant, role_revoke
from clubs.text.errors import DomainError

SECTION = "settings"

LINK = "password_link"
"""Session key: the role and the path of the last link that was made."""

NOT_YOURS = "for_somebody_else", "address_unproved"
"""Refusals after which the invitation can still be accepted, by another login or later."""

read_or_write = require_http_methods(["GET", "HEAD", "POST"])


@desk_view(MANAGE_CLUB)
@read_or_write
def team_invite(request: HttpRequest, club: Club) -> HttpResponse:
    """Ask somebody to join: the link is mailed where mail goes out, and shown in any case."""
    form = InviteForm(typed(request))
    actor = actor_of(request)
    if form_saved(form, lambda: invitation_make(club=club, actor=actor, **form.cleaned_data)):
        invitation = club.invitations.get(email__iexact=form.cleaned_data["email"])
        _report_mail(request, invitation)
        return redirect("team_invitation", club.slug, invitation.uuid)
    return show(request, "accounts/team_invite.html", club, SECTION, form=form)


@desk_view(MANAGE_CLUB)
@never_cache
@require_safe
def team_invitation(request: HttpRequest, club: Club, uuid: UUID) -> HttpResponse:
    """The link of an invitation, to copy and pass on."""
    invitation = of_club(club, Invitation, uuid=uuid)
    link = invitation_link(invitation) if invitation.is_open else ""
    return show(
        request,
        "accounts/team_invitation.html",
        club,
        SECTION,
        invitation=invitation,
        link=link,
        private_links=private_links(link),
    )


@desk_view(MANAGE_CLUB)
@read_or_write
def team_invitation_withdraw(request: HttpRequest, club: Club, uuid: UUID) -> HttpResponse:
    invitation = of_club(club, Invitation, uuid=uuid)
    team_url = reverse("club_team", args=[club.slug])

    def act() -> str:
        invitation_withdraw(invitation=invitation, actor=actor_of(request))
        return _("The invitation of %s is withdrawn.") % invitation

    confirmation = ConfirmedAction(
        title=_("Withdraw the invitation of %s?") % invitation,
        text=_("The link that was passed on no longer works then."),
        yes=_("Yes, withdraw"),
        back_url=team_url,
        act=act,
        next_url=team_url,
    )
    return confirm(request, club, SECTION, confirmation)


@never_cache
@read_or_write
def invitation_page(request: HttpRequest, uuid: UUID, code: str) -> HttpResponse:
    """The page of an invited person: they accept with their login, or create one."""
    invitation = invitation_find(uuid, code)
    if invitation is None:
        return render(request, "clubs/accounts/invitation_over.html", status=404)
    speak_clubs_language(request, invitation.club)
    by_mail = came_by_mail(invitation, code)
    if isinstance(request.user, User):
        return _accept(request, invitation, request.user, by_mail=by_mail)
    if has_login(invitation.email, by_mail=by_mail):
        return _show(request, invitation)
    return _join(request, invitation, by_mail=by_mail)


def _accept(
    request: HttpRequest, invitation: Invitation, user: User, *, by_mail: bool
) -> HttpResponse:
    if request.method == "POST":
        try:
            invitation_accept(invitation=invitation, user=user, by_mail=by_mail)
        except DomainError as error:
            messages.error(request, error.message)
            return redirect(request.path if error.code in NOT_YOURS else "home")
        return _welcome(request, invitation.club, own_place(user))
    must_confirm = is_for(invitation, user) and not by_mail and not is_proved(user)
    return _show(request, invitation, must_confirm=must_confirm)


def _join(request: HttpRequest, invitation: Invitation, *, by_mail: bool) -> HttpResponse:
    form = JoinForm(typed(request), invitation=invitation)
    if form_saved(
        form,
        lambda: invitation_join(
            invitation=invitation,
            name=form.cleaned_data["name"],
            password=form.cleaned_data["password1"],
            by_mail=by_mail,
        ),
    ):
        user = User.objects.get(email__iexact=invitation.email)
        next_url = log_in(request, user, own_place(user))
        confirmation_ask(request, user)
        return _welcome(request, invitation.club, next_url)
    return _show(request, invitation, form)


def _welcome(request: HttpRequest, club: Club, next_url: str) -> HttpResponse:
    messages.success(request, _("You are in the team of %s.") % club.name)
    return redirect(next_url)


def _show(
    request: HttpRequest,
    invitation: Invitation,
    form: JoinForm | None = None,
    *,
    must_confirm: bool = False,
) -> HttpResponse:
    status = 422 if form is not None and form.errors else 200
    user = request.user
    is_for_other = isinstance(user, User) and not is_for(invitation, user)
    context = {
        "invitation": invitation,
        "club": invitation.club,
        "form": form,
        "is_for_other": is_for_other,
        "must_confirm": must_confirm,
    }
    return render(request, "clubs/accounts/invitation.html", context, status=status)


def _report_mail(request: HttpRequest, invitation: Invitation) -> None:
    if not mail_goes_out():
        return
    if invitation_mail(invitation):
        message = _("A message is on its way to %s. You can pass the link on yourself as well.")
        messages.success(request, message % invitation.email)
    else:
        message = _("No more messages go to %s for now. Pass the link on yourself.")
        messages.warning(request, message % invitation.email)


# Roles, and links to set a password.


@desk_view(MANAGE_CLUB)
@require_safe
def club_team(request: HttpRequest, club: Club) -> HttpResponse:
    roles = club.roles.select_related("user").order_by("user__name", "user__email")
    invitations = list(club.invitations.all())
    missing = [invitation for invitation in invitations if _is_to_pass_on(invitation)]
    return show(
        request,
        "accounts/team.html",
        club,
        SECTION,
        roles=roles,
        invitations=invitations,
        missing_mail=_missing_words(missing),
    )


def _is_to_pass_on(invitation: Invitation) -> bool:
    return invitation.is_open and invitation.is_mail_missing


def _missing_words(missing: list[Invitation]) -> str:
    if not missing:
        return ""
    message = _("The message to %s could not be sent. Open “The link” and pass it on yourself.")
    return message % ", ".join(map(str, missing))


@desk_view(MANAGE_CLUB)
@read_or_write
def team_change(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    role = get_object_or_404(club.roles.select_related("user"), pk=pk)
    form = RoleForm(typed(request), initial={"kind": role.kind})
    if form_saved(form, lambda: _change(request, role, form)):
        messages.success(request, _("The task of %s is changed.") % role.user)
        return redirect("club_team", club.slug)
    return show(request, "accounts/team_change.html", club, SECTION, form=form, role=role)


def _change(request: HttpRequest, role: Role, form: RoleForm) -> None:
    role_grant(
        club=role.club,
        email=role.user.email,
        kind=form.cleaned_data["kind"],
        actor=actor_of(request),
    )


@desk_view(MANAGE_CLUB)
@read_or_write
def team_revoke(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    role = get_object_or_404(club.roles.select_related("user", "club"), pk=pk)
    team_url = reverse("club_team", args=[club.slug])

    def act() -> str:
        role_revoke(role=role, actor=actor_of(request))
        return _("%s is no longer in the team.") % role.user

    confirmation = ConfirmedAction(
        title=_("Take %s out of the team?") % role.user,
        text=_("This person can no longer open the desk of the club. What was done stays."),
        yes=_("Yes, take out of the team"),
        back_url=team_url,
        act=act,
        next_url=team_url,
    )
    return confirm(request, club, SECTION, confirmation)


@desk_view(MANAGE_CLUB)
@read_or_write
def team_link(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """A link with which somebody sets a password, to be copied and passed on."""
    role = get_object_or_404(club.roles.select_related("user", "club"), pk=pk)
    if request.method == "POST":
        try:
            path = password_link_make(role=role, actor=actor_of(request))
        except DomainError as error:
            messages.error(request, error.message)
            return redirect("club_team", club.slug)
        request.session[LINK] = [role.pk, path]
        return redirect("team_link", club.slug, role.pk)
    made_for, path = request.session.get(LINK, [None, ""])
    link = login_url(role.user, path) if made_for == role.pk else ""
    private = private_links(link)
    return show(
        request,
        "accounts/team_link.html",
        club,
        SECTION,
        role=role,
        link=link,
        private_links=private,
    )


# Pages of mailed links: to set a password, to log in, and to confirm the address one logs in with.


@own_view
def account_email(request: HttpRequest, user: User) -> HttpResponse:
    """Another address. Where mail goes out it counts once its owner opens a link there."""
    form = EmailChangeForm(typed(request), request=request)
    if form_saved(form, lambda: _change_address(user, form.cleaned_data["email"])):
        if user.email_wanted:
            return _link_mailed(request, user)
        return back_to_account(request, _("From now on you log in with %s.") % user.email)
    user.refresh_from_db(fields=["email", "email_wanted"])
    return own_page(request, "accounts/account_email.html", form=form, can_mail=mail_goes_out())


@own_view
@require_POST
def account_email_mail(request: HttpRequest, user: User) -> HttpResponse:
    """Mail the link to confirm an address, once more."""
    if is_proved(user) and not user.email_wanted:
        return redirect("account")
    return _link_mailed(request, user)


@own_view
@require_POST
def account_email_keep(request: HttpRequest, user: User) -> HttpResponse:
    """No other address after all."""
    email_keep(user=user, actor=Actor.of_user(user))
    return back_to_account(request, _("You go on logging in with %s.") % user.email)


@own_view
def account_email_confirm(request: HttpRequest, user: User, code: str) -> HttpResponse:
    """The page of the link. Programs that look at mail open links, so only its button confirms."""
    if not address_links.is_good(code, user):
        return own_page(request, "accounts/account_email_over.html", status=404)
    if request.method != "POST":
        wanted = user.email_wanted or user.email
        return own_page(request, "accounts/account_email_confirm.html", wanted=wanted)
    try:
        email_prove(user=user, code=code, actor=Actor.of_user(user))
    except DomainError as error:
        messages.error(request, error.message)
        return redirect("account")
    return back_to_account(request, _("%s is confirmed: you log in with it.") % user.email)


def _change_address(user: User, email: str) -> None:
    actor = Actor.of_user(user)
    if mail_goes_out() and not is_spelled_alike(user.email, email):
        email_want(user=user, email=email, actor=actor)
    else:
        email_change(user=user, email=email, actor=actor)


def _link_mailed(request: HttpRequest, user: User) -> HttpResponse:
    if address_link_mail(user):
        message = _("A message with a link is on its way to %s. Open that link to confirm it.")
        return back_to_account(request, message % (user.email_wanted or user.email))
    message = _("Too many messages were sent already. Try again later.")
    messages.warning(request, message)
    return redirect("account")


class RedirectFirst(HttpResponseRedirect):
    """A redirect that does something soon, once all of it was sent. How long that takes, and what
    it finds, then shows in no response."""

    def __init__(self, to: str, job: Act, lost: Act) -> None:
        super().__init__(to)
        self._job, self._lost = job, lost

    def close(self) -> None:
        super().close()
        outbox.add(self._job, self._lost)


@read_or_write
def password_reset(request: HttpRequest) -> HttpResponse:
    """Mails a link to set a password; without a mail server it says whom to ask."""
    return _mailed(request, "clubs/accounts/password_reset.html", password_mail)


@read_or_write
def login_link_ask(request: HttpRequest) -> HttpResponse:
    """Mails a link to log in; without a mail server it says whom to ask."""
    return _mailed(request, "clubs/accounts/login_link_ask.html", login_link_mail)


@never_cache
@read_or_write
def login_link(request: HttpRequest, code: str) -> HttpResponse:
    """The page of a link to log in. Programs that look at mail open links, so only its button logs
    in."""
    user = login_link_use(code) if request.method == "POST" else login_links.owner(code)
    if user is None:
        return render(request, "clubs/accounts/login_link_over.html", status=404)
    if request.method != "POST":
        return render(request, "clubs/accounts/login_link.html", {"owner": user})
    return redirect(log_in(request, user, own_place(user)))


def _mailed(request: HttpRequest, template: str, mail: Callable[..., Any]) -> HttpResponse:
    """The form for an address, and the same answer for each: what becomes of it is seen by whoever
    reads its mail."""
    if not mail_goes_out():
        return render(request, "clubs/accounts/password_ask.html")
    if request.method == "POST" and not may_try(request):
        return too_often(request)
    form = EmailForm(typed(request))
    if not form.is_valid():
        return render(request, template, {"form": form})
    messages.success(
        request, _("If we know this address, a message with a link is on its way to it.")
    )
    email = form.cleaned_data["email"]
    lost = partial(password_mail_missed, email=email)
    return RedirectFirst(reverse("login"), partial(mail, email=email), lost)
