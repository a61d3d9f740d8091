"""Numbers that come in beside a form: in an address, in a list of ticks."""


def whole_number(text: str) -> int:
    """The number somebody sent, 0 when it is none or far too large to be the number of anything."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0
