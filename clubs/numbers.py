"""Numbers that come in beside a form: in an address, in a list of ticks, in a search box."""


def whole_number(text: str, *, otherwise: int = 0) -> int:
    """The number somebody sent; `otherwise` when it is none, or too large to number anything."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else otherwise
