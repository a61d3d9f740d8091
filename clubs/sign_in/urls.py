"""The addresses of signing in with more than a password."""

from django.urls import URLPattern, URLResolver, include, path

from clubs.sign_in.views.security import (
    account_security,
    login_session_end,
    login_sessions_end_others,
)

security_pages: list[URLPattern] = [
    path("", account_security, name="account_security"),
    path("sessions/others/end/", login_sessions_end_others, name="login_sessions_end_others"),
    path("sessions/<str:handle>/end/", login_session_end, name="login_session_end"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("account/security/", include(security_pages)),
]
