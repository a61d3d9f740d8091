"""A budget of work for each address: how long the server was busy for it, not how often it asked.

Counting requests cannot tell a hall from a scraper. Four hundred phones behind one address ask
three hundred times a second what costs a millisecond; one visitor who asks for a list of a season
every second keeps two cores busy.

A budget of a quarter of an hour lets eight connections keep every thread busy until it is spent: an
address that asks for much within seconds has its pages made one at a time, and few of them. That
is counted in each process by itself, since it is over before a database could tell. Who is refused
and goes on asking is told the same again without work.
"""

import hashlib
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final

from django.conf import settings
from django.core.cache import caches
from django.db import InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from clubs.http.middleware import network_of, too_large_answer
from clubs.http.problems import Problem, problem_answer
from clubs.limits.table import Limit

SPAN: Final = 10
"""Seconds in which work is added up."""
CROWDED_FOR: Final = 60
"""Seconds for which an address that asked for too much has its pages made one at a time."""
AFTER_EACH_OTHER: Final = 1
"""Seconds after which who came too early may try again."""

_small = caches.create_connection("small")
"""Shared by all threads; looking up one of this thread's own takes longer than all it is for."""

_under_way: set[str] = set()
_beginning = Lock()


def turn_begins(client: str) -> bool:
    """Whether this process does nothing for this client yet; then this is under way, until
    `turn_ends`."""
    with _beginning:
        if client in _under_way:
            return False
        _under_way.add(client)
    return True


def turn_ends(client: str) -> None:
    """What was under way for this client is done."""
    _under_way.discard(client)


def is_crowded(client: str) -> bool:
    """Whether the client asked for so much lately that it waits for what it asked for before."""
    crowded: bool = _small.get(f"crowded-{_hashed(client)}", False)
    return crowded


def seconds_to_wait(client: str) -> int:
    """How long a client that is crowded must wait for the next page; 0 when it need not."""
    now = int(time.time())
    if _small.get(_key(client, now), 0) < _most():
        return 0
    return SPAN - now % SPAN


def work_add(client: str, work: int) -> None:
    """Count so many milliseconds that a page took that is known to take a while."""
    key = _key(client, int(time.time()))
    try:
        taken = _small.incr(key, work)
    except ValueError:
        taken = work
        _small.set(key, taken, 2 * SPAN)
    if taken >= _most():
        _small.set(f"crowded-{_hashed(client)}", True, CROWDED_FOR)


def _most() -> int:
    most: int = settings.WORK_SECONDS["at_once"] * 1_000
    return most


def _key(client: str, now: int) -> str:
    return f"at-once-{_hashed(client)}-{now // SPAN}"


def _hashed(client: str) -> str:
    return hashlib.sha256(client.encode()).hexdigest()


LIGHT_MS: Final = 10
"""What takes less is free: an answer that is kept, or that says that nothing is new."""
HEAVY_MS: Final = 400
"""What takes longer has a smaller budget of its own: no hall asks for it by the hundred."""
QUARTER: Final = 900
BYTES_A_MS: Final = 25_000
"""Of an answer that is sent: a file of a megabyte counts as forty milliseconds."""
TURN: Final = "klaverclub.turn"
SLOW: Final = "klaverclub.slow"
"""Where a request says whose turn it is, and who pays for a page that takes a while."""
EXPECTED: Final = "klaverclub.expected"
"""Where a request says what its page is known to take."""
OF_ADDRESS: Final = "work of address"
REMEMBERED: Final = 3_600


@dataclass(slots=True)
class _Waited:
    """How long the server of the database worked for this request."""

    seconds: float = 0.0

    def __call__(self, execute: Callable[..., Any], *statement: Any) -> Any:
        started = time.perf_counter()
        try:
            return execute(*statement)
        finally:
            self.seconds += time.perf_counter() - started


class WorkMiddleware:
    """Answers 429 to an address, or a login, that kept the server busy for too long; and 413 to a
    body that no page of ours sends.

    Work is the CPU time of the request's thread: whoever waits because others keep the server busy
    pays nothing for that. SQLite works in that thread; on PostgreSQL the time of the statements is
    added. Only what took long here before is refused, so a hall whose budget somebody used up goes
    on polling. Below a table's link it is the link that pays. Writes are not counted here.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        # Elsewhere another process works on the statements.
        self.works_here = connection.vendor == "sqlite"

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if too_large := too_large_answer(request):
            return too_large
        started, waited = time.thread_time(), _Waited()
        try:
            with nullcontext() if self.works_here else connection.execute_wrapper(waited):
                response = self.get_response(request)
        finally:
            if turn := request.META.pop(TURN, None):
                turn_ends(turn)
        work = round((time.thread_time() - started + waited.seconds) * 1_000) + _sending(response)
        # Nothing is learnt of a page from what is not there, or was refused.
        shown = request.resolver_match is not None and response.status_code < 400
        if shown and (work >= LIGHT_MS or request.META.get(EXPECTED) is not None):
            _route_learn(request, work)
        if slow := request.META.pop(SLOW, None):
            work_add(slow, work)
        if work >= LIGHT_MS and not _is_write(request):
            _charge(request, work)
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., object], *_arguments: object
    ) -> HttpResponse | None:
        expected: int | None = _small.get(_route_key(request))
        request.META[EXPECTED] = expected
        if (
            expected is None
            or expected < LIGHT_MS
            or _is_write(request)
            or getattr(view, "is_polled", False)
        ):
            return None
        limit, payer = limit_of(expected), _payer(request)
        if _is_spent(request, payer, limit) and not _is_other_payer(request, limit):
            return wait_response(request, limit.wait)
        crowded = payer == _address(request) and is_crowded(payer)
        if crowded and (wait := seconds_to_wait(payer)):
            return wait_response(request, wait)
        if crowded or expected >= HEAVY_MS:
            if not turn_begins(payer):
                return wait_response(request, AFTER_EACH_OTHER)
            request.META[TURN] = payer
        request.META[SLOW] = payer
        return None


def limit_of(work: int) -> Limit:
    """The budget, in milliseconds, from which so much work at a time is paid."""
    if work >= HEAVY_MS:
        return Limit(settings.WORK_SECONDS["heavy"] * 1_000)
    return Limit(settings.WORK_SECONDS["pages"] * 1_000, QUARTER)


def _sending(response: HttpResponse) -> int:
    return 0 if response.streaming else len(response.content) // BYTES_A_MS


def _is_write(request: HttpRequest) -> bool:
    """Whether something is sent. Who may write is known, or has limits of their own: phones at the
    tables, logins, deals to be scored; and what was typed must not be lost."""
    return request.method not in {"GET", "HEAD"}


def _names(request: HttpRequest) -> dict[str, Any]:
    return request.resolver_match.kwargs if request.resolver_match else {}


# What a page costs is known once it was made; the same page of the same club costs alike.


def _route_key(request: HttpRequest) -> str:
    match = request.resolver_match
    as_file = "format" in request.GET
    return f"cost-{match and match.view_name}-{_names(request).get('slug', '')[:100]}-{as_file}"


def _route_learn(request: HttpRequest, work: int) -> None:
    """Remember what takes long, each time by a quarter: an answer that must be made once in a while
    does not make a page that is polled look slow, nor does a first one that took a little."""
    expected: int | None = request.META.get(EXPECTED)
    if expected is not None and 0 <= work - expected < 4:
        return
    key = _route_key(request)
    before: int | None = _small.get(key)
    if before is not None or work >= LIGHT_MS:
        if before is None:
            before = work if work >= 4 * LIGHT_MS else 0
        _small.set(key, before + (work - before) // 4, REMEMBERED)


# Who pays: the link of a table, the login, else the address.


def _payer(request: HttpRequest) -> str:
    if secret := _names(request).get("secret"):
        return f"work of link {secret}"
    known: str | None = _small.get(_credential_key(request))
    return known or _address(request)


def _address(request: HttpRequest) -> str:
    return f"{OF_ADDRESS} {_network(request)}"


def _network(request: HttpRequest) -> str:
    return network_of(request.META.get("REMOTE_ADDR", ""))


def _is_spent(request: HttpRequest, payer: str, limit: Limit) -> bool:
    if payer == _address(request):
        return limit.is_spent_from(OF_ADDRESS, _network(request))
    return limit.is_spent(payer)


def _credential_key(request: HttpRequest) -> str:
    token = request.headers.get("Authorization", "") if _is_api(request) else ""
    session = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
    given = f"{token} {session}" if token or session else ""
    return f"payer-{hashlib.sha256(given.encode()).hexdigest() if given else 'nobody'}"


def _is_api(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")


def _is_other_payer(request: HttpRequest, limit: Limit) -> bool:
    """Whether somebody else than the address pays, of whom this process did not know yet. The view
    knows who a token is of, so it is asked once."""
    if "secret" in _names(request) or _small.get(_credential_key(request)):
        return False
    if _is_api(request) and "Authorization" in request.headers:
        return True
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return False
    login = _login_known(request)
    return login is not None and not limit.is_spent(login)


def _login_known(request: HttpRequest) -> str | None:
    """The login whose request this is; from now on this process knows who it is."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return None
    login = f"work of user {user.pk}"
    _small.set(_credential_key(request), login, REMEMBERED)
    return login


def _charge(request: HttpRequest, work: int) -> None:
    with suppress(*_NO_DATABASE):
        payer = _payer(request)
        if payer == _address(request) and _credential_key(request) != "payer-nobody":
            payer = _login_known(request) or payer
        if payer == _address(request):
            limit_of(work).spend_from(OF_ADDRESS, _network(request), work)
        else:
            limit_of(work).spend(payer, work)


# The answer is there; what it cost is counted again once there is a database.
_NO_DATABASE = OperationalError, InterfaceError


@contextmanager
def work_charged(network: str) -> Iterator[None]:
    """Count what a thread does aside for somebody of this network as work that is heavy."""
    started = time.thread_time()
    try:
        yield
    finally:
        work = round((time.thread_time() - started) * 1_000)
        with suppress(*_NO_DATABASE):
            limit_of(HEAVY_MS).spend_from(OF_ADDRESS, network, work)


def heavy_seconds_to_wait(network: str) -> int:
    """Until something heavy is done for this network again; 0 when it need not wait."""
    limit = limit_of(HEAVY_MS)
    return limit.wait if limit.is_spent_from(OF_ADDRESS, network) else 0


def wait_response(request: HttpRequest, seconds: int) -> HttpResponse:
    """The answer that asks to come back in so many seconds (429)."""
    if _is_api(request):
        words = f"Request was throttled. Expected available in {seconds} seconds."
        response = problem_answer(Problem(429, "throttled", words))
    else:
        context = {"minutes": -(-seconds // 60), "is_short": seconds <= SPAN}
        response = render(request, "429.html", context, status=429)
        if seconds <= SPAN:
            response.headers["Refresh"] = str(seconds)
    response.headers["Retry-After"] = str(seconds)
    response.headers["Cache-Control"] = "no-store"
    return response


# Refusing again without work: who goes on asking is told the same without a look at anything.

SAID_AGAIN_SECONDS: Final = 1
_DECIDES: Final = (
    "REMOTE_ADDR",
    "HTTP_COOKIE",
    "HTTP_AUTHORIZATION",
    "HTTP_ACCEPT",
    "HTTP_HX_REQUEST",
)
"""What else than its address decides who asks, and in which form the answer comes."""
_BY_CONTENT: Final = "klaverclub.refused_by_content"


def refused_by_content(request: HttpRequest) -> None:
    """It depends on what was sent whether this request is refused: a PIN, a login. Whoever sends
    something else to the same address is not told the same."""
    request.META[_BY_CONTENT] = True


class RefusalMiddleware:
    """Says a 429 again for a second, to whoever asks for the same once more.

    Finding out that somebody asked too often costs a few milliseconds, so eight connections that
    never pause could still hold up a hall. These answers are not logged or counted one by one, and
    set no cookie. While nobody was refused a moment ago there is nothing to look for.
    """

    until = 0.0

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        kept: tuple[bytes, dict[str, str]] | None = None
        if time.time() < RefusalMiddleware.until:
            kept = caches["refusals"].get(_asked(request))
        if kept is not None:
            content, headers = kept
            return HttpResponse(content, status=429, headers=headers)
        response = self.get_response(request)
        if response.status_code == 429 and _BY_CONTENT not in request.META:
            said = response.content, dict(response.items())
            caches["refusals"].set(_asked(request), said, SAID_AGAIN_SECONDS)
            RefusalMiddleware.until = time.time() + SAID_AGAIN_SECONDS
        return response


def _asked(request: HttpRequest) -> str:
    parts = [
        request.method,
        request.get_full_path(),
        *(request.META.get(name) for name in _DECIDES),
    ]
    return hashlib.sha256(repr(parts).encode()).hexdigest()
