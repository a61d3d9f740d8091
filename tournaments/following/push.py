"""Web push: one encrypted message to the address that a browser's maker gave that browser.

The libraries are loaded with the first message: most servers never send one.
"""

import base64
import json
import re
import socket
import ssl
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from http.client import HTTPException, HTTPSConnection
from threading import Timer
from typing import TYPE_CHECKING, Final
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.utils.crypto import salted_hmac

from clubs.http.middleware import is_within
from clubs.http.network import is_outside, is_private

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric import ec

ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
POINT_BYTES, SECRET_BYTES = 65, 16
HTTPS_PORT: Final = 443
PATIENCE: Final = 5.0
"""Seconds for each step of bringing a message."""
AT_MOST: Final = 10.0
"""Seconds for all of it, from the moment there is a connection."""
KEPT_FOR: Final = 24 * 60 * 60
"""Seconds that a message waits for a browser that is off."""


# A name, which ends in a letter as no IP address does, and perhaps a port.
_PLACE: Final = re.compile(r"(?:[a-z0-9-]+\.)*[a-z0-9-]*[a-z](?::[0-9]+)?", re.IGNORECASE)


class BadSubscription(ValueError):
    """What a browser sent is no address and keys that a message can be brought to."""


class NotBrought(OSError):
    """Nobody took the message: there is no such host, it does not answer, or it is in a private
    network."""


@dataclass(frozen=True, slots=True)
class Subscription:
    """Where messages for a browser are brought, and the keys with which only it reads them.

    Raises BadSubscription where no message could be brought.
    """

    endpoint: str
    p256dh: str
    auth: str

    def __post_init__(self) -> None:
        from cryptography.hazmat.primitives.asymmetric import ec

        _require_endpoint(self.endpoint)
        try:
            point, secret = self.keys
            ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
        except ValueError as error:
            raise BadSubscription("The keys are no keys") from error
        if len(point) != POINT_BYTES or len(secret) != SECRET_BYTES:
            raise BadSubscription("The keys are too short or too long")

    @property
    def keys(self) -> tuple[bytes, bytes]:
        """The public key and the secret. Raises ValueError if they are not written in base64."""
        return _decoded(self.p256dh), _decoded(self.auth)

    @property
    def host(self) -> str:
        """The name of the service that brings the messages."""
        return urlsplit(self.endpoint).netloc


def _require_endpoint(endpoint: str) -> None:
    try:
        parts = urlsplit(endpoint)
        is_usual_port = parts.port in (None, HTTPS_PORT)
        is_inside = is_private(endpoint)
    except ValueError as error:
        raise BadSubscription("No address") from error
    if parts.scheme != "https" or not _PLACE.fullmatch(parts.netloc):
        raise BadSubscription("Not a name reached by https")
    if not endpoint.isascii() or not endpoint.isprintable() or " " in endpoint:
        raise BadSubscription("No address")
    if (is_inside or not is_usual_port) and not settings.PUSH_NETWORKS:
        raise BadSubscription("An address inside a network, or an odd port")


def _decoded(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


@cache
def _private_key(number: int) -> "ec.EllipticCurvePrivateKey":
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.derive_private_key(number, ec.SECP256R1())


def server_key() -> "ec.EllipticCurvePrivateKey":
    """The key with which this server says who it is (VAPID). It follows from `SECRET_KEY`, so that
    all servers of one database have the same and nothing more has to be kept."""
    digest = salted_hmac("tournaments.following", "vapid", algorithm="sha512").digest()
    return _private_key(int.from_bytes(digest) % (ORDER - 1) + 1)


def server_key_public() -> str:
    """Its public half, as browsers want it."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    point = server_key().public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).decode().rstrip("=")


def push(subscription: Subscription, message: Mapping[str, str]) -> int:
    """Bring a message; the status that the service answers: 201 where it took it, 404 or 410 where
    the browser no longer wants any. Raises NotBrought."""
    parts = urlsplit(subscription.endpoint)
    body = encrypted(subscription, json.dumps(message, ensure_ascii=False).encode())
    headers = {
        "Authorization": _who_we_are(parts),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(KEPT_FOR),
        "Urgency": "normal",
    }
    connection = OutwardConnection(parts.hostname or "", parts.port or HTTPS_PORT, timeout=PATIENCE)
    try:
        connection.request("POST", f"{parts.path or '/'}{_query(parts)}", body, headers)
        return connection.getresponse().status
    except (OSError, HTTPException, UnicodeError) as error:
        raise NotBrought(type(error).__name__) from error
    finally:
        connection.close()


def encrypted(subscription: Subscription, content: bytes) -> bytes:
    """The content as only this browser can read it (RFC 8291)."""
    import http_ece
    from cryptography.hazmat.primitives.asymmetric import ec

    point, secret = subscription.keys
    own = ec.generate_private_key(ec.SECP256R1())
    sealed: bytes = http_ece.encrypt(content, private_key=own, dh=point, auth_secret=secret)
    return sealed


def _who_we_are(parts: SplitResult) -> str:
    from py_vapid import Vapid02

    ours = urlsplit(settings.PUBLIC_URL).hostname or "localhost"
    claims = {"sub": f"https://{ours}", "aud": f"https://{parts.netloc}"}
    signed: str = Vapid02(server_key()).sign(claims)["Authorization"]
    return signed


def _query(parts: SplitResult) -> str:
    return f"?{parts.query}" if parts.query else ""


class OutwardConnection(HTTPSConnection):
    """Connects to the internet only: the name is looked up once, and the very address that was
    looked at is used, so that a name cannot stand for another one a moment later. After `at_most`
    seconds it is cut off; addresses in `networks`, which are inside, are allowed too."""

    at_most: float = AT_MOST
    _wire: socket.socket | None = None
    _end: Timer | None = None

    @property
    def networks(self) -> Sequence[str]:
        """Networks inside that may be reached all the same."""
        return settings.PUSH_NETWORKS

    def connect(self) -> None:
        reached = self.reach()
        context = ssl.create_default_context()
        self.sock = context.wrap_socket(reached, server_hostname=self.host)

    def reach(self) -> socket.socket:
        """A connection to the address that was looked at, not yet encrypted."""
        reached = socket.create_connection((self._address(), self.port), self.timeout)
        # A socket of its own: TLS puts another object in the place of the first.
        self._wire = reached.dup()
        self._end = Timer(self.at_most, self._cut_off)
        self._end.daemon = True
        self._end.start()
        return reached

    def close(self) -> None:
        if self._wire is not None and self._end is not None:
            self._end.cancel()
            self._wire.close()
        super().close()

    def _cut_off(self) -> None:
        if self._wire is not None:
            with self._wire as wire, suppress(OSError):
                wire.shutdown(socket.SHUT_RDWR)

    def _address(self) -> str:
        found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
        addresses = [str(place[0]) for *_how, place in found]
        for address in addresses:
            if not self.may_reach(address):
                raise NotBrought("An address inside a network")
        return addresses[0]

    def may_reach(self, address: str) -> bool:
        """Whether this IP address is on the internet, or in one of the networks."""
        return is_outside(address) or self.is_inside(address)

    def is_inside(self, address: str) -> bool:
        """Whether this IP address is in one of the networks inside that are allowed."""
        return is_within(address, self.networks)
