"""Who may do what at the club: changed, taken off, let in with a link."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from clubs.errors import DomainError
from clubs.forms import RoleForm
from clubs.links import login_url
from clubs.models import Club, Role
from clubs.permissions import MANAGE_CLUB, actor_of, desk_view
from clubs.services import password_link_make, role_grant, role_revoke
from clubs.views.common import ConfirmedAction, confirm, form_saved, show, typed

SECTION = "settings"
LINK = "password_link"
"""Session key: the role and the path of the link that was made last."""

read_or_write = require_http_methods(["GET", "HEAD", "POST"])


@desk_view(MANAGE_CLUB)
@require_safe
def club_team(request: HttpRequest, club: Club) -> HttpResponse:
    roles = club.roles.select_related("user").order_by("user__name", "user__email")
    invitations = list(club.invitations.all())
    return show(request, "team.html", club, SECTION, roles=roles, invitations=invitations)


@desk_view(MANAGE_CLUB)
@read_or_write
def team_change(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    role = get_object_or_404(club.roles.select_related("user"), pk=pk)
    form = RoleForm(typed(request), initial={"kind": role.kind})
    if form_saved(form, lambda: _change(request, role, form)):
        messages.success(request, _("The task of %s is changed.") % role.user)
        return redirect("club_team", club.slug)
    return show(request, "team_change.html", club, SECTION, form=form, role=role)


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
    return show(request, "team_link.html", club, SECTION, role=role, link=link)
