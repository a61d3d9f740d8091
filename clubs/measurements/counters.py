"""What is counted for Prometheus; `config/serving.py` says how that is read.

Labels are routes and outcomes, of which there are few: never a club, a person or an address.
"""

from prometheus_client import Counter, Histogram


def _by_outcome(name: str, about: str, *outcomes: str) -> Counter:
    """A counter whose outcomes are all there from the start, with nothing counted: an alert on a
    rise would miss the first of what was not there before."""
    counter = Counter(f"klaverclub_{name}", about, ["outcome"])
    for outcome in outcomes:
        counter.labels(outcome)
    return counter


REQUESTS = Counter("klaverclub_requests", "Answers by route and status.", ["route", "status"])
REQUEST_SECONDS = Histogram(
    "klaverclub_request_seconds",
    "How long answers took.",
    ["route"],
    buckets=(0.05, 0.2, 0.5, 1, 2, 5, 15),
)
WRITE_WAIT_SECONDS = Histogram(
    "klaverclub_sqlite_write_wait_seconds",
    "How long writers waited for their turn at the file of SQLite.",
    buckets=(0.01, 0.05, 0.2, 1, 5, 20),
)
DEALS = _by_outcome(
    "deal_writes",
    "Deals written, corrected or undone: done (a claim too), a conflict of versions, refused by the"
    " rules, or failed.",
    "done",
    "conflict",
    "refused",
    "failed",
)
LOGINS = _by_outcome(
    "logins",
    "Logins; passwords that were wrong; of those, at a login that is locked.",
    "accepted",
    "wrong",
    "locked",
)
MAILS = _by_outcome("mails", "Mails handed to the mail server.", "sent", "failed")
CSP_REPORTS = _by_outcome(
    "csp_reports", "Requests with reports of browsers.", "counted", "left_out", "refused", "limited"
)
HEALTH_CHECKS = _by_outcome(
    "health_checks", "What /healthz answered.", "ok", "silent_database", "cannot_save"
)
