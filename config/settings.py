"""Settings, all of them from the environment; docs/operations.md says what each one does."""

import os
import re
import secrets
from contextlib import suppress
from datetime import timedelta
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from whitenoise.compress import Compressor

from clubs.http.static_files import own_headers
from clubs.launch.place import usual_folder
from config.databases import databases_of, shared_caches

env = environ.Env()

BASE_DIR = Path(__file__).resolve().parent.parent
# What stands beside the apps in a checkout, and in an installed program in a folder of its own:
# templates, collected static files, the demo club.
FILES_DIR = next(path for path in (BASE_DIR / "config" / "files", BASE_DIR) if path.is_dir())
# What somebody types on this computer before the name of a command.
PROGRAM = "python manage.py" if FILES_DIR == BASE_DIR else "klaverclub manage"
# Where the database and the key are, unless other settings say so.
DATA_DIR = Path(env.str("DATA_DIR", default="") or usual_folder()).absolute()


def _public_url() -> str:
    """The address people use, such as `https://klaver.example`, or empty when none is given."""
    url: str = env.str("PUBLIC_URL", default="").rstrip("/")
    parts = urlsplit(url)
    if url and (parts.scheme not in {"http", "https"} or not parts.netloc or parts.path):
        raise ImproperlyConfigured("PUBLIC_URL: must look like https://klaver.example")
    return url


def _port() -> int:
    """The port people connect to."""
    given: str = env.str("PORT", default="8000")
    if not given.isdecimal() or not 0 < int(given) < 65536:
        raise ImproperlyConfigured(f"PORT: must be a number from 1 to 65535, not {given!r}")
    return int(given)


def _metrics() -> tuple[str, int] | None:
    """Where the metrics for Prometheus are served, if they are: gunicorn.conf.py does so."""
    address: str = env.str("METRICS_ADDRESS", default="127.0.0.1")
    port: str = env.str("METRICS_PORT", default="")
    if not port:
        return None
    if not port.isdecimal() or not 0 < int(port) < 65536 or int(port) == PORT:
        raise ImproperlyConfigured(
            f"METRICS_PORT: must be a number from 1 to 65535, and not PORT, not {port!r}"
        )
    try:
        return str(ip_address(address)), int(port)
    except ValueError as error:
        raise ImproperlyConfigured(f"METRICS_ADDRESS: {error}") from error


def _local_name() -> str:
    """The name before `.local` that the command `klaverclub` answers to, or empty: where there is a
    public address, and where somebody wants none."""
    given: str = env.str("LOCAL_NAME", default="off" if PUBLIC_URL else "klaverclub").lower()
    if not re.fullmatch(r"[a-z0-9]([a-z0-9-]{0,40}[a-z0-9])?", given):
        raise ImproperlyConfigured(
            f"LOCAL_NAME: must be letters, digits and hyphens, or off, not {given!r}"
        )
    return "" if given == "off" else given


def _count(name: str, usual: int) -> int:
    """A number of 1 or more, by the setting called `name`."""
    given: int = env.int(name, default=usual)
    if given < 1:
        raise ImproperlyConfigured(f"{name}: must be 1 or more, not {given}")
    return given


def _networks(name: str, usual: list[str]) -> list[IPv4Network | IPv6Network]:
    """Networks, by the setting called `name`."""
    given: list[str] = env.list(name, default=usual)
    try:
        return [ip_network(address.strip()) for address in given]
    except ValueError as error:
        raise ImproperlyConfigured(f"{name}: {error}") from error


def _security_contact() -> str:
    """Where holes are reported, as a URL; empty when nobody is named."""
    given: str = env.str("SECURITY_CONTACT", default="")
    parts = urlsplit(given)
    is_usable = (parts.scheme == "https" and parts.netloc) or (
        parts.scheme == "mailto" and "@" in parts.path
    )
    if given and (not is_usable or not given.isprintable() or " " in given):
        raise ImproperlyConfigured(
            "SECURITY_CONTACT: must look like mailto:you@klaver.example or https://klaver.example/"
        )
    return given


def _log_format() -> str:
    """How lines of the log are written: `line` to be read by people, `json` by programs."""
    given: str = env.str("LOG_FORMAT", default="line")
    if given not in {"line", "json"}:
        raise ImproperlyConfigured(f"LOG_FORMAT: must be line or json, not {given!r}")
    return given


def _secret_key(database: dict[str, Any]) -> str:
    """The key of `SECRET_KEY`, else one kept beside the database so that it survives a restart."""
    given: str = env.str("SECRET_KEY", default="")
    if given:
        return given
    on_disk = database["ENGINE"].endswith("sqlite3") and database["NAME"] != ":memory:"
    path = Path(database["NAME"]).with_suffix(".key") if on_disk else DATA_DIR / "klaverclub.key"
    try:
        return path.read_text() if path.exists() else _new_secret_key(path)
    except OSError as error:
        raise ImproperlyConfigured(f"SECRET_KEY is not set and cannot be kept: {error}") from error


def _new_secret_key(path: Path) -> str:
    """Make a key in a file only its owner reads; two processes starting at once get the same."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(secrets.token_urlsafe(50))
    with suppress(FileExistsError):
        path.hardlink_to(draft)
    draft.unlink()
    return path.read_text()


DEBUG: bool = env.bool("DEBUG", default=False)
DB_POOL_SIZE = _count("DB_POOL_SIZE", 8)
# How long who writes waits for a database; none means that they hear at once to try again.
WRITE_WAIT_SECONDS: float = env.float("WRITE_WAIT_SECONDS", default=0.0)
DATABASES = databases_of(DATA_DIR, DB_POOL_SIZE)
SECRET_KEY = _secret_key(DATABASES["default"])
PUBLIC_URL = _public_url()
LOCAL_NAME = _local_name()
PORT = _port()
METRICS = _metrics()
SECURITY_CONTACT = _security_contact()
# From where `X-Forwarded-For` and `X-Forwarded-Proto` are believed.
TRUSTED_PROXIES = _networks("TRUSTED_PROXIES", ["127.0.0.1", "::1"])
HTTPS = PUBLIC_URL.startswith("https://")

# In a hall the host is whatever address the laptop got, so any is accepted. No link is ever built
# from it: links carry PUBLIC_URL or the address that the club chose.
ALLOWED_HOSTS: list[str] = env.list("ALLOWED_HOSTS", default=["*"])

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "django_tables2",
    "django_filters",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "axes",
    "rules",
    "csp",
    "tournaments",
    "scoring",
    "clubs",
]

MIDDLEWARE = [
    # First: what is logged, counted or shared does not rest on what strangers say of themselves.
    "clubs.http.middleware.ProxyMiddleware",
    "clubs.http.pages.SizeMiddleware",
    "clubs.limits.work.RefusalMiddleware",
    "django.middleware.security.SecurityMiddleware",
    # Before the long headers of pages, which a file has no use for.
    "clubs.http.static_files.FilesMiddleware",
    "clubs.http.middleware.RequestLogMiddleware",
    "clubs.databases.replica.WaitMiddleware",
    "clubs.databases.replica.SeenMiddleware",
    "tournaments.results.views.live.SharedMiddleware",
    "clubs.http.pages.HeadersMiddleware",
    "clubs.limits.work.WorkMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "clubs.access.permissions.LanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "clubs.http.pages.AnswerMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [FILES_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

# People

AUTH_USER_MODEL = "clubs.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "clubs.sign_in.devices.GuessingBackend",
    "rules.permissions.ObjectPermissionBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": name}
    for name in (
        "clubs.accounts.forms.UnlikeOneself",
        "clubs.accounts.forms.LongEnough",
        "clubs.accounts.forms.Uncommon",
    )
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
SESSION_ENGINE = "clubs.http.middleware"
MESSAGE_STORAGE = "clubs.http.middleware.MessageStorage"
# Long enough that a session ends between two evenings of a club, never during one.
SESSION_COOKIE_AGE = int(timedelta(days=10).total_seconds())

AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_LOCKOUT_CALLABLE = "clubs.sign_in.devices.locked_out"
AXES_USERNAME_CALLABLE = "clubs.accounts.views.accounts.username"
AXES_CLIENT_IP_CALLABLE = "clubs.accounts.views.accounts.address"
# django-axes stores the form of a failed login, and logs who tried: leave all of it out.
AXES_SENSITIVE_PARAMETERS = [
    "ip_address",
    "username",
    "email",
    "current",
    "code",
    "credential",
    "new_password1",
    "new_password2",
    "csrfmiddlewaretoken",
]
AXES_RESET_ON_SUCCESS = True
AXES_DISABLE_ACCESS_LOG = True
AXES_VERBOSE = False

# No mail server is needed: without one, every link that would be mailed is shown, to be copied.
_mail: dict[str, Any] = env.email_url("EMAIL_URL", default="dummymail://")
if _mail["EMAIL_BACKEND"] == "django.core.mail.backends.smtp.EmailBackend":
    _mail["EMAIL_BACKEND"] = "clubs.accounts.services.BoundedBackend"
globals().update(_mail)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL: str = env.str("DEFAULT_FROM_EMAIL", default="klaverclub@localhost")


def _text_of(name: str) -> str:
    """What stands in the file that the setting called `name` names; empty without one."""
    path: str = env.str(name, default="")
    try:
        return Path(path).read_text("utf-8").strip() if path else ""
    except (OSError, ValueError) as error:
        raise ImproperlyConfigured(f"{name}: {error}") from error


# A server for many: who may see which clubs there are and suspend them, and whether anybody may
# start a club, by which terms.
OPERATORS = [email.strip().casefold() for email in env.list("OPERATORS", default=[])]
TERMS, PRIVACY = _text_of("TERMS_FILE"), _text_of("PRIVACY_FILE")
CLUB_KEPT_DAYS = _count("CLUB_KEPT_DAYS", 30)
SIGN_UP: bool = env.bool("SIGN_UP", default=False)
_mails = not _mail["EMAIL_BACKEND"].endswith(".dummy.EmailBackend")
if SIGN_UP and not (PUBLIC_URL and TERMS and PRIVACY and _mails):
    raise ImproperlyConfigured(
        "SIGN_UP: takes PUBLIC_URL, EMAIL_URL, TERMS_FILE and PRIVACY_FILE as well"
    )

# Messages to browsers that follow a club: over https only, and with the key that follows from
# SECRET_KEY. Services that bring them are on the internet; only tests have one in a network inside.
WEB_PUSH: bool = HTTPS and env.bool("WEB_PUSH", default=True)
PUSH_NETWORKS: list[str] = []

# Networks inside in which leagues may read the events of clubs, also by http; elsewhere it takes
# https to an address on the internet.
EXCHANGE_NETWORKS = [str(network) for network in _networks("EXCHANGE_NETWORKS", [])]

# Caches in front that keep what everybody sees, and hear at these addresses what to forget.
SHARED_CACHES = shared_caches(DATABASES)

# What browsers may do

CSP_REPORTS = "/csp-report"
CONTENT_SECURITY_POLICY: dict[str, dict[str, Any]] = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "base-uri": [NONE],
        "connect-src": [SELF],
        "font-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "img-src": [SELF],
        "manifest-src": [SELF],
        "report-uri": [CSP_REPORTS],
        "script-src": [SELF],
        "style-src": [SELF],
        "worker-src": [SELF],
    }
}
if HTTPS:
    CONTENT_SECURITY_POLICY["DIRECTIVES"]["report-to"] = "csp"
# No page uses a device, a sensor, money or an identity; only the copy buttons the clipboard, and
# the few pages with `may_ask_for_passkeys` a passkey.
PERMISSIONS_POLICY: dict[str, list[str]] = {
    feature: []
    for feature in (
        "accelerometer autoplay browsing-topics camera clipboard-read compute-pressure "
        "display-capture encrypted-media gamepad geolocation gyroscope hid "
        "identity-credentials-get idle-detection keyboard-map local-fonts magnetometer microphone "
        "midi otp-credentials payment picture-in-picture publickey-credentials-create "
        "publickey-credentials-get screen-wake-lock serial storage-access sync-xhr usb "
        "window-management xr-spatial-tracking"
    ).split()
}
X_FRAME_OPTIONS = "DENY"
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL] if PUBLIC_URL else []
CSRF_COOKIE_SECURE = SESSION_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
CSRF_COOKIE_HTTPONLY = LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_AGE = int(timedelta(days=365).total_seconds())
if HTTPS:
    # No other host below the same name, and nobody on plain http, can plant one of these.
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "__Host-sessionid", "__Host-csrftoken"
# On plain http browsers ignore this header and complain of it in the console.
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin" if HTTPS else None

# Set by our proxies; the proxy middleware drops the header from anybody else.
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_SSL_REDIRECT = HTTPS
SECURE_SSL_HOST = urlsplit(PUBLIC_URL).netloc if HTTPS else None
# Monitoring on the machine itself does not go through the proxy.
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
SECURE_HSTS_SECONDS = int(timedelta(days=365).total_seconds()) if HTTPS else 0
# What `check` may not ask: two middlewares whose part ours do (security.W002, axes.W002). And with
# `--deploy`: a promise for hosts below this name that are not ours to make (W005, W021); and
# without an https address, on a laptop in a hall, what only https can have.
SILENCED_SYSTEM_CHECKS = ["security.W002", "axes.W002", "security.W005", "security.W021"]
if not HTTPS:
    SILENCED_SYSTEM_CHECKS += [f"security.W0{number}" for number in ("04", "08", "12", "16")]

# Language and time

LANGUAGE_CODE = "nl"
LANGUAGES = [("nl", "Nederlands"), ("en", "English")]
TIME_ZONE: str = env.str("TIME_ZONE", default="Europe/Amsterdam")
USE_TZ = True

# Static files

STATIC_URL = "/static/"
STATIC_ROOT = FILES_DIR / "staticfiles"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "clubs.http.static_files.VersionedStorage"},
}
WHITENOISE_USE_FINDERS = True
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = (*Compressor.SKIP_COMPRESS_EXTENSIONS, "map")
WHITENOISE_ADD_HEADERS_FUNCTION = own_headers
WHITENOISE_ALLOW_ALL_ORIGINS = False

# Caches in each process

# A few hundred pages and pictures; and enough small values (rate limits, the state of evenings) for
# a federation. Caches of their own, so that pages and refusals do not evict small values.
_IN_MEMORY = {"BACKEND": "clubs.http.middleware.MemoryCache"}
CACHES: dict[str, dict[str, Any]] = {
    "default": {**_IN_MEMORY, "LOCATION": "pages"},
    "small": {**_IN_MEMORY, "LOCATION": "small", "OPTIONS": {"MAX_ENTRIES": 10_000}},
    "refusals": {**_IN_MEMORY, "LOCATION": "refusals"},
}

# Work

# For how many seconds one address, or one login, may keep the servers busy: in a quarter of an hour
# with pages, and in a minute with what takes long by itself (clubs/limits/work.py); and,
# without a login, one process within ten seconds, before the pages of that address are made one at
# a time (clubs/limits/work.py).
WORK_SECONDS = {
    "pages": _count("PAGE_SECONDS_PER_QUARTER", 360),
    "heavy": _count("HEAVY_SECONDS_PER_MINUTE", 20),
    "at_once": _count("PAGE_SECONDS_AT_ONCE", 1),
}

# What phones write at the tables in a minute: over one link, and from one address with the links of
# a whole hall. Of a link that is no longer valid: clubs/limits/table.py.
TABLE_WRITES = {
    "link": _count("LINK_WRITES_PER_MINUTE", 120),
    "address": _count("TABLE_WRITES_PER_MINUTE", 2_000),
}

# The API

# A minute, over all servers: requests from one address, and of one caller with a login or token;
# deals that one address has scored.
API_LIMITS = {
    "anybody": _count("API_REQUESTS_PER_MINUTE", 300),
    "caller": _count("API_CALLER_REQUESTS_PER_MINUTE", 1_200),
    "score": _count("SCORE_DEALS_PER_MINUTE", 60_000),
}
REST_FRAMEWORK = {
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "clubs.api.requests.AlwaysJSON",
    "DEFAULT_PARSER_CLASSES": ["clubs.api.requests.SafeJSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "clubs.accounts.logins.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_THROTTLE_CLASSES": ["clubs.api.requests.ApiThrottle"],
    "EXCEPTION_HANDLER": "clubs.http.problems.problem_handler",
    # The proxy middleware has put the caller's own address in place of the proxy's.
    "NUM_PROXIES": 0,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Klaverclub",
    "DESCRIPTION": (
        "Clubs, evenings, draws, deals and standings of klaverjas clubs. What is published is read"
        " without a login; for the rest send `Authorization: Token …` with a personal token. A"
        " write names the `version` that it saw, and may have an `Idempotency-Key`. Every error is"
        " a problem (RFC 9457): go by its `code`."
    ),
    "TAGS": [
        {"name": "clubs", "description": "which there are, their words and how they count"},
        {"name": "members", "description": "the people of a club, for who keeps them"},
        {"name": "seasons", "description": "seasons and their standings"},
        {"name": "money", "description": "fees, packages and the pot, for who keeps them"},
        {"name": "evenings", "description": "planned, closed, published; who stands where"},
        {"name": "registrations", "description": "who is here"},
        {"name": "draw", "description": "who sits where"},
        {"name": "rounds", "description": "started and closed"},
        {"name": "tables", "description": "their sheets, substitutes and totals"},
        {"name": "deals", "description": "written, corrected, taken back"},
        {"name": "leagues", "description": "between clubs: tables, match days, results"},
        {"name": "score", "description": "what a deal comes to, without a club"},
    ],
    "VERSION": "1",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "POSTPROCESSING_HOOKS": [],
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"()": "clubs.http.middleware.LineFormatter"},
        "json": {"()": "clubs.http.middleware.JsonFormatter"},
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": _log_format()}},
    "root": {"handlers": ["console"], "level": "INFO"},
    "loggers": {
        # Each request has its own line already, and Django's handlers would print it twice.
        "django": {"handlers": [], "level": "INFO"},
        "django.request": {"level": "ERROR"},
        "django.server": {"handlers": [], "level": "ERROR", "propagate": True},
        # Anybody can make up a host; the answer is 400 and no page of the log.
        "django.security.DisallowedHost": {"level": "CRITICAL"},
        "axes": {"level": "WARNING"},
        # It writes the id of every passkey that is used.
        "fido2": {"level": "WARNING"},
    },
}
