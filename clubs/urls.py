"""The addresses of clubs, people and accounts."""

from django.conf import settings
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
from clubs.accounts.views.team import (
    account_email,
    account_email_confirm,
    account_email_keep,
    account_email_mail,
    club_team,
    invitation_page,
    login_link,
    login_link_ask,
    password_reset,
    team_change,
    team_invitation,
    team_invitation_withdraw,
    team_invite,
    team_link,
    team_revoke,
)
from clubs.members.api import MemberDetail, MemberList
from clubs.members.views.imports import member_import, member_import_preview
from clubs.members.views.members import member_active, member_add, member_edit, member_list
from clubs.merges.views import member_merge, merge_list, merge_part
from clubs.monitoring.views import SECURITY_TXT, csp_report, health, security_txt
from clubs.privacy.views import member_data, member_erase_page
from clubs.profile.api import ClubDetail, ClubList
from clubs.profile.views import (
    club_address,
    club_outside,
    club_settings,
    club_trail,
    home,
    logo_png,
    logo_settings,
    logo_take_away,
    phone_check,
    robots,
    user_trail,
)
from clubs.sign_in.views import (
    account_security,
    club_second_factor,
    login_codes,
    login_codes_off,
    login_session_end,
    login_sessions_end_others,
    login_step,
    passkey_delete,
    passkey_login,
    passkey_login_options,
    passkey_new,
    passkey_options,
    recovery_codes,
)
from clubs.sign_up.views import privacy, sign_up, sign_up_club_page, terms

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

security_pages: list[URLPattern] = [
    path("", account_security, name="account_security"),
    path("codes/", login_codes, name="login_codes"),
    path("codes/off/", login_codes_off, name="login_codes_off"),
    path("passkeys/add/", passkey_new, name="passkey_new"),
    path("passkeys/options/", passkey_options, name="passkey_options"),
    path("passkeys/<int:pk>/remove/", passkey_delete, name="passkey_delete"),
    path("recovery/", recovery_codes, name="recovery_codes"),
    path("sessions/others/end/", login_sessions_end_others, name="login_sessions_end_others"),
    path("sessions/<str:handle>/end/", login_session_end, name="login_session_end"),
]

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
    path("members/", member_list, name="member_list"),
    path("members/add/", member_add, name="member_add"),
    path("members/import/", member_import, name="member_import"),
    path("members/import/<uuid:uuid>/", member_import_preview, name="member_import_preview"),
    path("members/<int:pk>/", member_edit, name="member_edit"),
    path("members/<int:pk>/activate/", member_active, {"active": True}, name="member_activate"),
    path(
        "members/<int:pk>/deactivate/", member_active, {"active": False}, name="member_deactivate"
    ),
    path("members/<int:pk>/merge/", member_merge, name="member_merge"),
    path("members/merges/", merge_list, name="merge_list"),
    path("members/merges/<uuid:uuid>/undo/", merge_part, name="merge_undo"),
    path("members/<int:pk>/data/", member_data, name="member_data"),
    path("members/<int:pk>/erase/", member_erase_page, name="member_erase"),
    path("settings/", club_settings, name="club_settings"),
    path("logo/", logo_settings, name="club_logo"),
    path("logo/remove/", logo_take_away, name="logo_remove"),
    path("address/", club_address, name="club_address"),
    path("outside/", club_outside, name="club_outside"),
    path("trail/", club_trail, name="club_trail"),
    path("trail/by/<uuid:user>/", user_trail, name="user_trail"),
    path("second-factor/", club_second_factor, name="club_second_factor"),
]

api_club: list[URLPattern] = [
    path("members/", MemberList.as_view(), name="api_members"),
    path("members/<int:pk>/", MemberDetail.as_view(), name="api_member"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("account/", include(account_pages)),
    path("account/security/", include(security_pages)),
    path("clubs/<slug:slug>/desk/", include(club_desk)),
    path("api/v1/clubs/<slug:slug>/", include(api_club)),
    # It sets the language and nothing else, and a page for everybody has no token of its reader.
    path("language/", csrf_exempt(set_language), name="set_language"),
    path("login/", login_page, name="login"),
    path("login/link/", login_link_ask, name="login_link_ask"),
    path("login/link/<str:code>/", login_link, name="login_link"),
    path("logout/", logout_page, name="logout"),
    path("password/", password_reset, name="password_reset"),
    path("password/set/<uidb64>/<token>/", password_set_page, name="password_set"),
    path("invitations/<uuid:uuid>/<str:code>/", invitation_page, name="invitation"),
    path("healthz", health, name="healthz"),
    path(SECURITY_TXT, security_txt, name="security_txt"),
    path(settings.CSP_REPORTS.removeprefix("/"), csp_report, name="csp_report"),
    path("api/v1/clubs/<slug:slug>/", ClubDetail.as_view(), name="api_club"),
    path("api/v1/clubs/", ClubList.as_view(), name="api_clubs"),
    path("clubs/<slug:slug>/logo.png", logo_png, name="logo_png"),
    path("robots.txt", robots, name="robots"),
    path("clubs/<slug:slug>/phone/<str:code>/", phone_check, name="phone_check"),
    path("", home, name="home"),
    path("login/passkey/", passkey_login, name="passkey_login"),
    path("login/passkey/options/", passkey_login_options, name="passkey_login_options"),
    path("login/step/", login_step, name="login_step"),
    path("start/", sign_up, name="sign_up"),
    path("start/<str:code>/", sign_up_club_page, name="sign_up_club"),
    path("terms/", terms, name="terms"),
    path("privacy/", privacy, name="privacy"),
]
