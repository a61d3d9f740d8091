"""The forms of pictures of sheets: sending them, and one deal that was read from one."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from clubs.models.club import MOST_PHOTO_DAYS, PaperSheet
from clubs.text.errors import DomainError
from scoring.deals.director_forms import LineForm, box_text
from scoring.display.sheet_view import SheetView
from scoring.display.words import DealRefused
from scoring.models import Deal
from tournaments.sheet_photos.queries import Line, PhotoLine, line_choices
from tournaments.sheet_photos.reading import DOUBTS
from tournaments.sheet_photos.services import LineWrite

MOST_AT_ONCE: Final = 60
ACCEPTED: Final = "image/jpeg,image/png,image/webp,image/tiff,application/pdf"


class _ManyFiles(forms.FileInput):
    allow_multiple_selected = True


class _PicturesField(forms.FileField):
    """One or more files."""

    def clean(self, data: Any, initial: Any = None) -> "list[UploadedFile[Any]]":
        files = (data if isinstance(data, list | tuple) else [data]) or [None]
        if len(files) > MOST_AT_ONCE:
            raise forms.ValidationError(
                _("Choose at most %(n)s pictures at once.") % {"n": MOST_AT_ONCE}
            )
        return [super(_PicturesField, self).clean(file, initial) for file in files]


class PicturesForm(forms.Form):
    """Pictures of sheets: as many as one likes, or a PDF of a scanner."""

    pictures = _PicturesField(
        label=_("Pictures of score sheets"),
        help_text=_("JPEG, PNG, WebP, TIFF, or PDF from a scanner; at most 15 MB each."),
        widget=_ManyFiles(attrs={"accept": ACCEPTED, "multiple": True}),
        allow_empty_file=True,
        error_messages={"required": _("Choose at least one picture.")},
    )


class CameraForm(PicturesForm):
    """A picture that a phone takes now."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["pictures"]
        field.label, field.help_text = _("The score sheet"), ""
        field.widget.attrs |= {"accept": "image/*", "capture": "environment"}
        del field.widget.attrs["multiple"]


class PaperSheetForm(forms.Form):
    """Which score sheet the club prints, and how long it keeps pictures of sheets."""

    paper_sheet = forms.ChoiceField(
        label=_("Which score sheet do you print?"),
        choices=PaperSheet.choices,
        widget=forms.RadioSelect,
    )
    sheet_photo_days = forms.IntegerField(
        label=_("For how many days after the result are pictures of sheets kept?"),
        min_value=0,
        max_value=MOST_PHOTO_DAYS,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "size": 4, "autocomplete": "off"}),
    )


class PhotoLineForm(LineForm):
    """A deal that was read from a picture, which somebody takes as it is, changes, or leaves.

    It is filled in with what was read instead of with what stands.
    """

    WRITE, LEAVE = "write", "leave"

    take = forms.ChoiceField(
        choices=[(WRITE, _("This is right")), (LEAVE, _("Leave as it stands"))],
        widget=forms.RadioSelect,
        required=False,
    )

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, view: SheetView, line: PhotoLine
    ) -> None:
        self.read = line.line
        self.line = line
        self.taken = ""
        super().__init__(data, view=view, number=line.number)
        self.fields["take"].widget.attrs |= {"data-take": ""}
        if line.was_left_open:
            self.fields["take"].choices = [  # type: ignore[attr-defined]
                (self.WRITE, _("It is filled in here")),
                (self.LEAVE, _("It stays open")),
            ]
        if data is not None:
            self.taken = data.get(self.add_prefix("take"), "")
            if not self.taken and line.kind == "sure" and data.get("all_sure"):
                self.taken = self.WRITE

    @property
    def faults(self) -> list[str]:
        """What is wrong with a line that is to be written, each once."""
        if self.taken != self.WRITE:
            return []
        return list(dict.fromkeys(str(text) for texts in self.errors.values() for text in texts))

    @property
    def doubts(self) -> list[str]:
        """Why somebody should look, in words."""
        return [str(DOUBTS[code]) for code in self.line.doubts if code in DOUBTS]

    @property
    def alternatives(self) -> list[tuple[str, dict[str, str]]]:
        """The lines that the writing can stand for: in words, and as the boxes have them."""
        choices = line_choices(self.line, self.view)
        return [(choice.words, self.boxes_of(choice.line)) for choice in choices]

    def boxes_of(self, line: Line) -> dict[str, str]:
        """What the boxes have for this line."""
        points, roem = line.get("points") or {}, line.get("roem") or {}
        pit = f"pit:{line['pit']}" if line.get("pit") else ""
        texts = {
            "declarer": line["declarer"],
            "trump": line.get("trump"),
            "points_ns": points.get("NS"),
            "points_ew": points.get("EW"),
            "roem_ns": sum(roem.get("NS") or ()) or None,
            "roem_ew": sum(roem.get("EW") or ()) or None,
            "mark": pit or ("nat" if line.get("nat") else ""),
        }
        return {name: box_text(text) for name, text in texts.items() if name in self.fields}

    def line_write(self) -> LineWrite:
        """What is to be written; the form must be valid."""
        return LineWrite(
            number=self.number,
            seen_version=self.cleaned_data["seen_version"],
            uuid=self.cleaned_data["uuid"],
            written=self.written(),
            reason=self.reason(),
        )

    def add_fault(self, error: DomainError) -> None:
        """Say why the line was not written."""
        if isinstance(error, DealRefused):
            self.add_refusal(error)
        else:
            self.add_error(None, error.message)

    def _initial(self) -> dict[str, Any]:
        """Roem as the paper has it: one number for each side."""
        initial = super()._initial()
        names = ("roem_ns", "roem_ew")
        return initial | {name: [sum(initial[name])] if initial[name] else [] for name in names}

    def _before(self, deal: Deal) -> Mapping[str, Any]:
        standing = super()._before(deal)
        if self.read is None:
            return standing
        # What a picture cannot say stays: the director's corrections, who sat where.
        kept = ("corrections", "dealer", "seats", "bid")
        return {**{key: standing[key] for key in kept if key in standing}, **self.read}


def forms_of(
    lines: Sequence[PhotoLine],
    view: SheetView,
    data: Mapping[str, Any] | None = None,
    *,
    anew: Collection[int] = (),
) -> list[PhotoLineForm]:
    """The forms of the lines that are to be decided, those to look at first; `anew` are deals that
    somebody wrote meanwhile, of which nothing that was sent counts."""
    waiting = sorted((line for line in lines if line.is_open), key=lambda line: line.kind != "look")
    return [
        PhotoLineForm(None if line.number in anew else data, view=view, line=line)
        for line in waiting
    ]
