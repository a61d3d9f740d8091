"""Links in mail with which people log in without their password."""

from datetime import timedelta

from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from clubs.accounts.mailed_links import MailedLinks
from clubs.accounts.services import mail_now, password_mail, task_of
from clubs.http.network import login_url
from clubs.limits.table import LOGIN_LINKS
from clubs.models import User


class LoginLinks(MailedLinks):
    """Links to log in. One stops when its login is used, or gets another address or password."""

    purpose = "login"
    good_for = timedelta(minutes=15)

    def _state(self, user: User) -> tuple[object, ...]:
        times = str(user.last_login), str(user.email_proved_at)
        return user.email, user.password, user.logins_version, *times


login_links = LoginLinks()


def login_link_mail(*, email: str) -> None:
    """Mail a link to log in, if this address belongs to somebody in a club's team. Where nothing
    shows yet that they made that login, the link sets a password instead: whoever did make it knows
    the present one.

    To be called as `password_mail` is: by the outbox.
    """
    role = task_of(email)
    if role is None:
        return
    user = role.user
    if user.email_proved_at is None:
        password_mail(email=email)
    elif LOGIN_LINKS.allows(f"login link to {user.pk}"):
        _mail(user, role.club.language)


def login_link_use(code: str) -> User | None:
    """Whom the link with this code logs in, from now on no longer; None if it does not work."""
    user = login_links.owner(code)
    if user is None:
        return None
    # Of two who open it at once only the first finds the login as it was.
    unused = User.objects.filter(pk=user.pk, last_login=user.last_login, password=user.password)
    if not unused.update(last_login=timezone.now()):
        return None
    user.refresh_from_db()
    return user


def _mail(user: User, language: str) -> None:
    with translation.override(language):
        link = login_url(user, reverse("login_link", args=[login_links.code(user)]))
        mail_now(
            subject=_("Your link to log in"),
            text=_(
                "With this link you log in. It works once, for a quarter of an hour.\n\n%s\n\n"
                "Did you not ask for this? Then do nothing: without this message nobody gets in."
            )
            % link,
            to=user.email,
        )
