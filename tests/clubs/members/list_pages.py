"""The page of a list of members, pressed as a browser does."""

import html
import re
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from clubs.models import Club, Member, Upload


class Page:
    """The page of a list: what it says, and what a browser would send from it."""

    def __init__(self, client: Client, response: Any) -> None:
        self.client, self.response = client, response
        self.html = html.unescape(response.content.decode())
        self.words = " ".join(re.sub(r"<[^>]+>", " ", self.html).split())

    def under(self, heading: str) -> list[str]:
        """The lines of the first list below a heading."""
        part = self.html.split(f"{heading}</span", 1)
        if len(part) == 1:
            return []
        items = re.findall(r"<li>(.*?)</li>", part[1].split("</ul>")[0])
        return [re.sub(r"<[^>]+>", "", item) for item in items]

    def columns(self) -> list[str]:
        """What each column is read as."""
        return re.findall(r'name="column-\d+">.*?value="(\w*)" selected', self.html, re.DOTALL)

    def send(self, button: str, **typed: str) -> "Page":
        seen = re.search(r'name="seen" value="(\w+)"', self.html)
        chosen = re.findall(r'name="(column-\d+)">.*?value="(\w*)" selected', self.html, re.DOTALL)
        mended = re.findall(r'name="(mend-[\w-]+)" value="([^"]*)"', self.html)
        answers = re.findall(r'name="(answer-\d+)" value="(\w+)" checked', self.html)
        assert seen
        fields = dict(chosen) | dict(mended) | dict(answers) | {"public_as": "initials"}
        fields |= {name.replace("_", "-", 2): text for name, text in typed.items()}
        fields["public_as"] = typed.get("public_as", "initials")
        payload = fields | {"seen": seen[1], button: "yes"}
        path = self.response.request["PATH_INFO"]
        return Page(self.client, self.client.post(path, payload, follow=True))

    def yes(self, **typed: str) -> "Page":
        return self.send("import", **typed)

    def look(self, **typed: str) -> "Page":
        return self.send("look", **typed)


class Lists:
    def __init__(self, client: Client, club: Club) -> None:
        self.client, self.club = client, club
        self.url = reverse("member_import", args=[club.slug])

    def file(self, content: bytes | str, name: str = "leden.csv") -> Page:
        content = content.encode() if isinstance(content, str) else content
        payload = {"file": SimpleUploadedFile(name, content)}
        return Page(self.client, self.client.post(self.url, payload, follow=True))

    def pasted(self, text: str) -> Page:
        return Page(self.client, self.client.post(self.url, {"text": text}, follow=True))

    def take_back(self) -> Page:
        upload = Upload.objects.filter(club=self.club, done_at__isnull=False).latest("done_at")
        url = reverse("import_undo", args=[self.club.slug, upload.uuid])
        return Page(self.client, self.client.post(url, follow=True))


def people(club: Club) -> list[str]:
    return [
        f"{member.number or '-'} {member.name}" for member in Member.objects.of(club).by_surname()
    ]
