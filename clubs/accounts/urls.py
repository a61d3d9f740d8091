"""The addresses of accounts."""

from django.urls import URLPattern, URLResolver, include, path
from django.views.decorators.csrf import csrf_exempt
from django.views.i18n import set_language

from clubs.accounts.views.accounts import (
    account,
    account_logout,
    account_password,
    login_page,
    logout_page,
    password_set_page,
    token_add,
    token_withdraw,
)
from clubs.accounts.views.mailed_links import (
    account_email,
    account_email_confirm,
    account_email_keep,
    account_email_mail,
    login_link,
    login_link_ask,
    password_reset,
)
from clubs.accounts.views.team import (
    club_team,
    invitation_page,
    team_change,
    team_invitation,
    team_invitation_withdraw,
    team_invite,
    team_link,
    team_revoke,
)

club_desk: list[URLPattern] = [
    path("team/", club_team, name="club_team"),
    path("team/add/", team_invite, name="team_invite"),
    path("team/invitations/<uuid:uuid>/", team_invitation, name="team_invitation"),
    path(
        "team/invitations/<uuid:uuid>/withdraw/",
        team_invitation_withdraw,
        name="team_invitation_withdraw",
    ),
    path("team/<int:pk>/", team_change, name="team_change"),
    path("team/<int:pk>/revoke/", team_revoke, name="team_revoke"),
    path("team/<int:pk>/link/", team_link, name="team_link"),
]

account_pages: list[URLPattern] = [
    path("", account, name="account"),
    path("email/", account_email, name="account_email"),
    path("email/confirm/<str:code>/", account_email_confirm, name="account_email_confirm"),
    path("email/keep/", account_email_keep, name="account_email_keep"),
    path("email/mail/", account_email_mail, name="account_email_mail"),
    path("password/", account_password, name="account_password"),
    path("logout/", account_logout, name="account_logout"),
    path("tokens/add/", token_add, name="token_add"),
    path("tokens/<int:pk>/withdraw/", token_withdraw, name="token_withdraw"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("account/", include(account_pages)),
    path("clubs/<slug:slug>/desk/", include(club_desk)),
    # It sets the language and nothing else, and a page for everybody has no token of its reader.
    path("language/", csrf_exempt(set_language), name="set_language"),
    path("login/", login_page, name="login"),
    path("login/link/", login_link_ask, name="login_link_ask"),
    path("login/link/<str:code>/", login_link, name="login_link"),
    path("logout/", logout_page, name="logout"),
    path("password/", password_reset, name="password_reset"),
    path("password/set/<uidb64>/<token>/", password_set_page, name="password_set"),
    path("invitations/<uuid:uuid>/<str:code>/", invitation_page, name="invitation"),
]
