"""Mail to people who log in; where no mail server is set, nothing goes out and pages say so."""

import logging
from concurrent.futures import ThreadPoolExecutor
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import send_mail

logger = logging.getLogger(__name__)
_NO_MAIL = "django.core.mail.backends.dummy.EmailBackend"
_sender = ThreadPoolExecutor(1, "mail")


def mail_goes_out() -> bool:
    """Whether there is a mail server; else every link is shown, to be copied."""
    return settings.EMAIL_BACKEND != _NO_MAIL


def mail_now(*, subject: str, text: str, to: str) -> bool:
    """Whether the mail server took it; why not stands in the log, without the address."""
    if not mail_goes_out():
        return False
    try:
        send_mail(" ".join(subject.split()), text, None, [to])
    except (OSError, SMTPException) as error:
        logger.warning("Mail was not sent: %s", type(error).__name__)
        return False
    return True


def mail_soon(*, subject: str, text: str, to: str) -> None:
    """Send it after the answer: how long that takes tells nobody whether there was any to send."""
    _sender.submit(mail_now, subject=subject, text=text, to=to)
