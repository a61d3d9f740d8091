from django.urls import URLPattern, path
from django.views.i18n import set_language

from clubs.merges.views import member_merge, merge_list, merge_part
from clubs.views import (
    account,
    accounts,
    home,
    imports,
    invitations,
    logo,
    members,
    privacy,
    settings,
    team,
    trail,
)

DESK = "clubs/<slug:slug>/desk/"

urlpatterns: list[URLPattern] = [
    path("", home.home, name="home"),
    path("language/", set_language, name="set_language"),
    path("login/", accounts.login, name="login"),
    path("logout/", accounts.logout, name="logout"),
    path("password/", accounts.password_reset, name="password_reset"),
    path("password/set/<uidb64>/<token>/", accounts.password_set_page, name="password_set"),
    path("invitations/<uuid:uuid>/<str:code>/", invitations.invitation, name="invitation"),
    path("account/", account.account, name="account"),
    path("account/email/", account.account_email, name="account_email"),
    path("account/password/", account.account_password, name="account_password"),
    path("account/logout/", account.account_logout, name="account_logout"),
    path("account/tokens/add/", account.token_add, name="token_add"),
    path("account/tokens/<int:pk>/withdraw/", account.token_withdraw, name="token_withdraw"),
    path(f"{DESK}members/", members.member_list, name="member_list"),
    path(f"{DESK}members/add/", members.member_add, name="member_add"),
    path(f"{DESK}members/import/", imports.member_import, name="member_import"),
    path(
        f"{DESK}members/import/<uuid:uuid>/",
        imports.member_import_preview,
        name="member_import_preview",
    ),
    path(f"{DESK}members/<int:pk>/", members.member_edit, name="member_edit"),
    path(f"{DESK}members/<int:pk>/merge/", member_merge, name="member_merge"),
    path(f"{DESK}members/merges/", merge_list, name="merge_list"),
    path(f"{DESK}members/merges/<uuid:uuid>/undo/", merge_part, name="merge_undo"),
    path(
        f"{DESK}members/<int:pk>/activate/",
        members.member_active,
        {"active": True},
        name="member_activate",
    ),
    path(
        f"{DESK}members/<int:pk>/deactivate/",
        members.member_active,
        {"active": False},
        name="member_deactivate",
    ),
    path(f"{DESK}members/<int:pk>/data/", privacy.member_data, name="member_data"),
    path(f"{DESK}members/<int:pk>/erase/", privacy.member_erasing, name="member_erase"),
    path(f"{DESK}settings/", settings.club_settings, name="club_settings"),
    path(f"{DESK}logo/", logo.logo_settings, name="club_logo"),
    path(f"{DESK}logo/remove/", logo.logo_take_away, name="logo_remove"),
    path("clubs/<slug:slug>/logo.png", logo.logo_png, name="logo_png"),
    path(f"{DESK}address/", settings.club_address, name="club_address"),
    path(f"{DESK}team/", team.club_team, name="club_team"),
    path(f"{DESK}team/add/", invitations.team_invite, name="team_invite"),
    path(
        f"{DESK}team/invitations/<uuid:uuid>/",
        invitations.team_invitation,
        name="team_invitation",
    ),
    path(
        f"{DESK}team/invitations/<uuid:uuid>/withdraw/",
        invitations.team_invitation_withdraw,
        name="team_invitation_withdraw",
    ),
    path(f"{DESK}team/<int:pk>/", team.team_change, name="team_change"),
    path(f"{DESK}team/<int:pk>/revoke/", team.team_revoke, name="team_revoke"),
    path(f"{DESK}team/<int:pk>/link/", team.team_link, name="team_link"),
    path(f"{DESK}trail/", trail.club_trail, name="club_trail"),
    path(f"{DESK}trail/by/<uuid:user>/", trail.user_trail, name="user_trail"),
]
