"""The forms in which a file or a list is chosen."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.members.forms import UploadForm
from clubs.models import Club
from scoring.rules import PRESETS, Language, preset_name

NEW = "new"


class FileForm(forms.Form):
    """A file that is previewed before it is imported."""

    file = forms.FileField(
        label=_("File"),
        help_text=_("CSV or Excel (XLSX), at most 5 MB."),
        widget=forms.FileInput(attrs={"accept": ".csv,.xlsx,text/csv"}),
        allow_empty_file=True,
        error_messages={"required": _("Choose a file.")},
    )


class EntriesForm(UploadForm):
    """A list of who comes to an evening."""

    file_label = _("File with who comes")


class ResultsListForm(UploadForm):
    """Earlier results, and the season they belong to: an existing or a new one."""

    season = forms.ChoiceField(
        label=_("In which season?"), error_messages={"required": _("Choose a season.")}
    )
    season_name = forms.CharField(
        label=_("Name of a new season"),
        max_length=60,
        required=False,
        help_text=_("Only fill this in with “a new season”. Such as 2024-2025."),
    )
    file_label = _("File with the results")
    field_order = ["season", "season_name", "file", "text"]

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = [season.name for season in club.seasons.order_by("-starts", "-pk")]
        choices = [
            ("", _("Choose a season")),
            *((name, name) for name in names),
            (NEW, _("a new season")),
        ]
        self.fields["season"].choices = choices  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Makes `season` the name of the season, existing or new."""
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("season") == NEW:
            cleaned["season"] = " ".join(cleaned.get("season_name", "").split())
            if not cleaned["season"] and "season_name" not in self.errors:
                self.add_error("season_name", _("Fill in the name of the season."))
        return cleaned


class EveningFileForm(FileForm):
    """An evening with its deals, the rules it was played by, and its season if it has one."""

    preset = forms.ChoiceField(label=_("By which rules was it played?"))
    season = forms.ChoiceField(label=_("In which season?"), required=False)
    field_order = ["preset", "season", "file"]

    def __init__(self, *args: Any, club: Club, language: Language, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["preset"].choices = [  # type: ignore[attr-defined]
            (key, preset_name(key, language)) for key in PRESETS
        ]
        names = [season.name for season in club.seasons.order_by("-starts", "-pk")]
        choices = [("", _("in none")), *((name, name) for name in names)]
        self.fields["season"].choices = choices  # type: ignore[attr-defined]
