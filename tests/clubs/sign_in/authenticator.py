"""A telephone with passkeys, which says whatever a test wants it to say (WebAuthn, ES256)."""

import hashlib
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2 import cbor
from fido2.cose import ES256
from fido2.utils import websafe_decode, websafe_encode

PRESENT, VERIFIED, HAS_CREDENTIAL = 0x01, 0x04, 0x40
Answer = dict[str, Any]


@dataclass
class Authenticator:
    """One passkey. What a browser says truthfully can be said otherwise: where it is, that its
    owner was there, how often it was used, whose it is."""

    origin: str = "http://localhost"
    rp_id: str = "localhost"
    flags: int = PRESENT | VERIFIED
    counter: int = 1
    handle: bytes = b""
    credential_id: bytes = field(default_factory=lambda: secrets.token_bytes(32))

    def __post_init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())

    def create(self, options: Answer) -> str:
        """What a browser sends after `navigator.credentials.create`."""
        self.handle = websafe_decode(options["user"]["id"])
        own = ES256.from_cryptography_key(self.key.public_key())  # type: ignore[no-untyped-call]
        public = cbor.encode(own)
        length = len(self.credential_id).to_bytes(2, "big")
        data = self._data(HAS_CREDENTIAL) + bytes(16) + length + self.credential_id + public
        attestation = cbor.encode({"fmt": "none", "attStmt": {}, "authData": data})
        said = self._client_data("webauthn.create", options)
        return self._sent(clientDataJSON=said, attestationObject=attestation)

    def get(self, options: Answer) -> str:
        """What a browser sends after `navigator.credentials.get`."""
        said = self._client_data("webauthn.get", options)
        data = self._data()
        signed = data + hashlib.sha256(said).digest()
        return self._sent(
            clientDataJSON=said,
            authenticatorData=data,
            signature=self.key.sign(signed, ec.ECDSA(hashes.SHA256())),
            userHandle=self.handle,
        )

    def _data(self, more: int = 0) -> bytes:
        host = hashlib.sha256(self.rp_id.encode()).digest()
        return host + bytes([self.flags | more]) + self.counter.to_bytes(4, "big")

    def _client_data(self, kind: str, options: Answer) -> bytes:
        said = {"type": kind, "challenge": options["challenge"], "origin": self.origin}
        return json.dumps({**said, "crossOrigin": False}).encode()

    def _sent(self, **response: bytes) -> str:
        own = websafe_encode(self.credential_id)
        parts = {name: websafe_encode(value) for name, value in response.items()}
        return json.dumps({"id": own, "rawId": own, "type": "public-key", "response": parts})
