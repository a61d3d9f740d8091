"""A service on this machine that brings messages to browsers, and such a browser."""

import base64
import datetime as dt
import json
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import http_ece
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def base64url(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


@dataclass
class Browser:
    """What a browser has of its subscription; only it can read what is sent there."""

    endpoint: str
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    secret: bytes = b"sixteen letters."

    @property
    def asks(self) -> dict[str, str]:
        """The fields with which it tells where it is."""
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {"p256dh": base64url(point), "auth": base64url(self.secret)}
        return {"endpoint": self.endpoint, **keys}

    def read(self, body: bytes) -> dict[str, str]:
        """A message as this browser reads it."""
        plain = http_ece.decrypt(body, private_key=self.key, auth_secret=self.secret)
        message: dict[str, str] = json.loads(plain)
        return message


@dataclass
class PushService:
    """What it was brought, by path: headers and body; it answers with `status`."""

    address: str = ""
    status: int = 201
    brought: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)

    def browser(self, name: str = "a") -> Browser:
        return Browser(f"{self.address}/send/{name}")


@contextmanager
def push_service(folder: Path) -> Iterator[PushService]:
    """The service, over https with a certificate of its own: `folder/service.pem`."""
    service = PushService()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            service.brought.append((self.path, dict(self.headers.items()), body))
            self.send_response(service.status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_args: Any) -> None:
            """Says nothing."""

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(_certificate(folder / "service.pem"))
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    service.address = f"https://localhost:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()


def _certificate(path: Path) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    private = key.private_bytes(Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    path.write_bytes(made.public_bytes(Encoding.PEM) + private)
    return path
