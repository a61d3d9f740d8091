"""The forms with which a director replays a deal card by card and rules on it."""

import uuid as uuids
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.text.numbers import SEAT_NAMES
from scoring.deals.director_forms import DirectorDealForm
from scoring.display.words import reader_language
from scoring.replay.cards import PACK, DealReplay
from scoring.rules import WordFault, card_typed, parse_card, read_cards

ANNOUNCED: Final = tuple(f"announced_{trick}" for trick in range(1, 9))
FIELDS: Final = ("trump", "declarer", "leader", "cards", *ANNOUNCED)
LONGEST_TEXT: Final = 600


class CardsForm(forms.Form):
    """Trump, who plays, who leads, and the cards in order of play; always bound.

    Without `data` it starts from the replay stored with the line as it stands, or from that line.
    It reports what is wrong with the cards and uses those before the first fault.
    """

    trump = forms.ChoiceField(label=gettext_lazy("Trump"), widget=forms.RadioSelect, required=False)
    declarer = forms.ChoiceField(
        label=gettext_lazy("Who plays?"), widget=forms.RadioSelect, required=False
    )
    leader = forms.ChoiceField(
        label=gettext_lazy("Who leads?"), widget=forms.RadioSelect, required=False
    )
    cards = forms.CharField(
        label=gettext_lazy("Type the cards"),
        widget=forms.Textarea(
            attrs={
                "rows": 8,
                "autocomplete": "off",
                "autocapitalize": "none",
                "spellcheck": "false",
            }
        ),
        max_length=LONGEST_TEXT,
        required=False,
    )
    place = forms.IntegerField(
        widget=forms.HiddenInput, min_value=0, max_value=PACK - 1, required=False
    )

    def __init__(self, data: Mapping[str, Any] | None, *, deal: DirectorDealForm) -> None:
        self.deal = deal
        known = _known(deal) if data is None else data
        sent = {name: known.get(name) or "" for name in (*FIELDS, "place")}
        self.read = read_cards(sent["cards"][:LONGEST_TEXT])
        if not self.read.faults:
            sent["cards"] = cards_text(self.read.cards)
        super().__init__(sent)
        names = deal.view.short_names(deal.number)
        self.fields["trump"].choices = deal.fields["trump"].choices  # type: ignore[attr-defined]
        self.fields["declarer"].choices = deal.fields["declarer"].choices  # type: ignore[attr-defined]
        self.fields["leader"].choices = [  # type: ignore[attr-defined]
            (seat, f"{SEAT_NAMES[seat]} – {name}") for seat, name in names.items()
        ]
        self.full_clean()

    def clean_cards(self) -> str:
        if self.read.faults:
            raise forms.ValidationError([_fault_words(fault) for fault in self.read.faults])
        text: str = self.cleaned_data["cards"]
        return text

    @property
    def is_settled(self) -> bool:
        """Whether trump, declarer and leader are known, so that they can be folded away."""
        data = self.cleaned_data
        return bool(data.get("trump") and data.get("declarer") and data.get("leader"))

    def replay(self) -> DealReplay | None:
        """The replay so far; None where trump or the leader is not known yet."""
        data = self.cleaned_data
        if not (data.get("trump") and data.get("leader")):
            return None
        return DealReplay(
            trump=data["trump"],
            leader=data["leader"],
            cards=self.read.cards,
            regulation=self.deal.rules,
            declarer=data.get("declarer") or None,
            announced=tuple(_announced(self.data[name]) for name in ANNOUNCED),
        )

    def query(self, **changed: str) -> dict[str, str]:
        """The query string that shows the same page, with these values changed."""
        values: dict[str, str] = {name: self.data[name] for name in FIELDS} | changed
        values["cards"] = " ".join(values["cards"].split())
        return {name: value for name, value in values.items() if value or name == "cards"}

    def after(self, act: Mapping[str, str]) -> dict[str, str] | None:
        """The query after a button of the page without scripts: `add` a card (in place of the one
        at `place`; the two swap if both have been played), `undo` the last card or `clear` them
        all. None when no such button was pressed."""
        if "clear" in act:
            return self.query(cards="", **dict.fromkeys(ANNOUNCED, ""))
        cards = list(self.read.cards)
        card = parse_card(act.get("add", ""))
        if card is not None:
            cards = _placed(cards, card, self.cleaned_data.get("place"))
        elif "undo" in act:
            cards = cards[:-1]
        else:
            return None
        return self.query(cards=cards_text(cards))


class RulingForm(forms.Form):
    """What the director decides; `choices` are the rulings that can be written.

    Changing a written line needs a reason, unless the director saw it empty: that is a conflict. A
    wrong accusation is never selected by default.
    """

    seen_version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    uuid = forms.UUIDField(widget=forms.HiddenInput)
    ruling = forms.ChoiceField(
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Choose what is written.")},
    )
    reason = forms.CharField(label=gettext_lazy("Why is it changed?"), max_length=200)

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        deal: DirectorDealForm,
        choices: Sequence[str],
    ) -> None:
        super().__init__(
            data,
            initial={
                "seen_version": deal.deal.version,
                "uuid": uuids.uuid4(),
                "ruling": next((key for key in choices if not key.startswith("accused")), None),
                "reason": _("replayed card by card"),
            },
        )
        self.fields["ruling"].choices = [(key, key) for key in choices]  # type: ignore[attr-defined]
        is_stale = data is not None and data.get("seen_version") != str(deal.deal.version)
        if is_stale or not deal.needs_reason:
            del self.fields["reason"]


def cards_text(cards: Sequence[str]) -> str:
    """The cards as people type them, one trick a line."""
    typed = [card_typed(card, reader_language()) for card in cards]
    return "\n".join(" ".join(typed[at : at + 4]) for at in range(0, len(typed), 4))


def _known(deal: DirectorDealForm) -> dict[str, str]:
    record = deal.deal.current.record if deal.deal.current and deal.before else None
    if record is None:
        return {
            **{name: str(deal[name].value() or "") for name in ("trump", "declarer")},
            "leader": deal.view.sheet.forehand(deal.number) or "",
            "cards": "",
        }
    announced = {
        name: str(int(points))
        for name, points in zip(ANNOUNCED, record.get("announced", ()), strict=False)
        if points is not True
    }
    return {
        "trump": record["trump"],
        "declarer": record["declarer"],
        "leader": record["leader"],
        "cards": cards_text(record["cards"]),
        **announced,
    }


def _announced(text: str) -> bool | int:
    """How much of a trick's roem was announced; anything but a number means all of it."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else True


def _placed(cards: list[str], card: str, place: int | None) -> list[str]:
    if place is None or place >= len(cards):
        return cards if card in cards else [*cards, card]
    old = cards[place]
    swap = {card: old, old: card}
    return [swap.get(card, card) for card in cards]


def _fault_words(fault: WordFault) -> str:
    shown = {"word": fault.word, "place": fault.place, "trick": (fault.place + 3) // 4}
    if fault.first:
        words = _(
            "“%(word)s” (card %(place)s, trick %(trick)s) has been played already: card %(first)s."
        )
        return words % {**shown, "first": fault.first}
    words = _(
        "“%(word)s” (card %(place)s, trick %(trick)s) is not a card. Write the suit first, then "
        "the card, such as h10 or sj."
    )
    return words % shown
