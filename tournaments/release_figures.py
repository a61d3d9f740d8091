"""What a release says, but for names, in one hash: the trail keeps it, so that it shows when
somebody changed what was published."""

import hashlib
import json
from collections.abc import Mapping, Sequence

from tournaments.models import PUBLISHED_AS, published_as

NAMES = "name", "shown_name"


def release_figures(
    standings: Sequence[Mapping[str, object]], changes: Sequence[Mapping[str, object]]
) -> str:
    """One hash over every figure, and whose it is. A name is not in it: who is erased has another
    one afterwards."""
    lists = [[_unnamed(row) for row in rows] for rows in (standings, changes)]
    stored = json.loads(json.dumps(lists))
    return hashlib.sha256(json.dumps(stored, sort_keys=True).encode()).hexdigest()


def _unnamed(row: Mapping[str, object]) -> dict[str, object]:
    kept = {key: value for key, value in row.items() if key not in (*NAMES, PUBLISHED_AS)}
    return kept | ({"member": published_as(row)} if PUBLISHED_AS in row else {})
