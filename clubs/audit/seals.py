"""Seals on the heads of chains, made with the server's key.

A chain itself needs no key, so that it can be followed on any server. Whoever has the database but
not the key can write a chain anew, but cannot seal it.
"""

from collections.abc import Iterable

from django.utils.crypto import constant_time_compare, salted_hmac

from clubs.models import AuditChain


def head_seal(chain: AuditChain) -> str:
    """The seal on a chain's head as it is now, as 64 hex digits."""
    head = f"{chain.chain_name} {chain.chain_length} {chain.chain_head}"
    return salted_hmac("clubs.audit.head", head, algorithm="sha256").hexdigest()


def is_sealed(chain: AuditChain) -> bool:
    """Whether this server's key sealed the head of the chain; one without events needs no seal."""
    return not chain.chain_length or constant_time_compare(chain.chain_seal, head_seal(chain))


def seal_anew(chains: Iterable[AuditChain]) -> int:
    """Seal the heads of these chains, where they have not moved since they were read. Returns how
    many."""
    count = 0
    for chain in [chain for chain in chains if chain.chain_length]:
        row = type(chain)._default_manager.filter(pk=chain.pk, chain_head=chain.chain_head)
        count += row.update(chain_seal=head_seal(chain))
    return count
