"""What is written of a deal, on its way to the database."""

import json
from collections.abc import Mapping
from typing import Any

Written = Mapping[str, object]


def as_stored(written: Written) -> dict[str, Any]:
    """What is written, as it comes back from the database: no tuples, names as keys."""
    stored: dict[str, Any] = json.loads(json.dumps(dict(written), default=str))
    return stored
