"""Ways to ask a question on a page."""

from collections.abc import Mapping
from typing import Any

from django import forms


class ExplainedRadios(forms.RadioSelect):
    """Radio buttons with a sentence under each choice that `hints` has one for."""

    def __init__(self, *args: Any, hints: Mapping[str, Any], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.hints = hints

    def create_option(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """The choice as Django makes it, with its `hint` and the id the page gives that."""
        option: dict[str, Any] = super().create_option(*args, **kwargs)
        hint = self.hints.get(str(option["value"]))
        if hint:
            described_by = f"{option['attrs']['id']}_hint"
            option |= {"hint": hint, "hint_id": described_by}
            option["attrs"]["aria-describedby"] = described_by
        return option
