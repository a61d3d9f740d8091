"""The addresses of signing in with more than a password."""

from django.urls import URLPattern, URLResolver, include, path

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

urlpatterns: list[URLPattern | URLResolver] = [
    path("account/security/", include(security_pages)),
    path("clubs/<slug:slug>/desk/second-factor/", club_second_factor, name="club_second_factor"),
    path("login/passkey/", passkey_login, name="passkey_login"),
    path("login/passkey/options/", passkey_login_options, name="passkey_login_options"),
    path("login/step/", login_step, name="login_step"),
]
