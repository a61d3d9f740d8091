"""What the API answers when it does not go as asked."""

from typing import Any

TITLES = {
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    409: "Conflict",
    413: "Request Entity Too Large",
    415: "Unsupported Media Type",
    422: "Unprocessable Entity",
    429: "Too Many Requests",
}


def problem(status: int, code: str, detail: str, **more: Any) -> dict[str, Any]:
    """A whole problem; `more` are its `errors` or `current`."""
    return {
        "type": "about:blank",
        "title": TITLES[status],
        "status": status,
        "detail": detail,
        "code": code,
        **more,
    }


def not_found() -> dict[str, Any]:
    return problem(404, "not_found", "Not found.")


def wrong(field: str, code: str, message: str, *, whole: str = "invalid") -> dict[str, Any]:
    """A refusal of one field; `whole` is the code of the refusal itself."""
    errors = [{"field": field, "code": code, "message": message}]
    return problem(422, whole, message, errors=errors)
