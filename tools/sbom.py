"""What the wheel is made of besides our own code: a bill of materials (CycloneDX 1.6) of the pinned
libraries and of the typefaces, and everybody's licences. `tools/dist.py` puts both in the wheel.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5

from tools import ROOT

OURSELVES: Final = "klaverclub"
_PIN: Final = re.compile(
    r"^(?P<name>[a-z0-9][\w.-]*)==(?P<version>[^\s;]+)(?: ; (?P<marker>[^\\\n]*?))? \\\n"
    r"(?P<rest>(?:^ .*\n?)*)",
    re.MULTILINE,
)
_VIA: Final = re.compile(r"#\s+(?:via\s+)?([\w.-]+)")
_LICENCE: Final = re.compile(r"(?:^|/)(?:LICEN[CS]E|COPYING|NOTICE)[^/]*$", re.IGNORECASE)
_CLASSIFIER: Final = "License :: OSI Approved :: "
TYPEFACES: Final = {
    "Atkinson Hyperlegible Next": "clubs/static/clubs/fonts/OFL-AtkinsonHyperlegibleNext.txt",
    "Fraunces": "clubs/static/clubs/fonts/OFL-Fraunces.txt",
    "DejaVu": "scoring/pdf/fonts/LICENSE.txt",
}
"""What was taken over from elsewhere into our own folders, with its licence."""


@dataclass(frozen=True)
class Pin:
    """A library at the one version that is pinned, where a marker holds."""

    name: str
    version: str
    marker: str
    needed_by: tuple[str, ...]

    @property
    def asked_for(self) -> str:
        """As a requirement of a package."""
        return f"{self.name}=={self.version}" + (f" ; {self.marker}" if self.marker else "")

    @property
    def purl(self) -> str:
        """The name that all such lists give it."""
        return f"pkg:pypi/{self.name}@{self.version}"


def pins_read(requirements: str) -> list[Pin]:
    """The pins of a file of requirements as uv writes it."""
    return [
        Pin(
            found["name"],
            found["version"],
            found["marker"] or "",
            tuple(name for name in _VIA.findall(found["rest"]) if name != "via"),
        )
        for found in _PIN.finditer(requirements)
    ]


def bill_of_materials(pins: Sequence[Pin], version: str, when: datetime) -> str:
    """The bill as JSON; the same from the same pins."""
    components = [_component(pin) for pin in pins] + [
        {"type": "data", "bom-ref": f"typeface:{name}", "name": name, "licenses": _named("OFL-1.1")}
        for name in TYPEFACES
        if name != "DejaVu"
    ]
    bill: dict[str, Any] = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid5(NAMESPACE_URL, json.dumps([version, components]))}",
        "version": 1,
        "metadata": {
            "timestamp": when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application",
                "bom-ref": OURSELVES,
                "name": OURSELVES,
                "version": version,
            },
        },
        "components": components,
        "dependencies": [
            {"ref": ref, "dependsOn": [pin.purl for pin in pins if name in pin.needed_by]}
            for name, ref in ((OURSELVES, OURSELVES), *((pin.name, pin.purl) for pin in pins))
        ],
    }
    return f"{json.dumps(bill, indent=1, ensure_ascii=False)}\n"


def _component(pin: Pin) -> dict[str, Any]:
    component: dict[str, Any] = {
        "type": "library",
        "bom-ref": pin.purl,
        "name": pin.name,
        "version": pin.version,
        "purl": pin.purl,
    }
    found = _installed(pin)
    if found and (licence := licence_of(found)):
        component["licenses"] = _named(
            licence, is_expression="License-Expression" in found.metadata
        )
    if pin.marker:
        component["properties"] = [{"name": "klaverclub:where", "value": pin.marker}]
    return component


def _named(licence: str, *, is_expression: bool = True) -> list[dict[str, Any]]:
    return [{"expression": licence}] if is_expression else [{"license": {"name": licence}}]


def licence_of(found: Distribution) -> str:
    """What a library says its licence is, in a line; empty where it says nothing."""
    named = (found.metadata.get_all("License-Expression") or [""])[0]
    classifiers = found.metadata.get_all("Classifier") or []
    approved = [each.removeprefix(_CLASSIFIER) for each in classifiers if _CLASSIFIER in each]
    said = (found.metadata.get_all("License") or [""])[0].strip()
    return named or ", ".join(approved) or (said if "\n" not in said else "")


def licences(pins: Sequence[Pin]) -> str:
    """The licences of all of it, one after the other."""
    texts = list(_texts(pins))
    return "\n\n".join(
        f"{'=' * 78}\n{title}\n{'=' * 78}\n\n{text.strip()}" for title, text in texts
    )


def _texts(pins: Sequence[Pin]) -> Iterator[tuple[str, str]]:
    for name, path in TYPEFACES.items():
        yield f"{name} (typeface)", (ROOT / path).read_text("utf-8")
    for pin in pins:
        if found := _installed(pin):
            files = sorted(path for path in found.files or () if _LICENCE.search(str(path)))
            own = [path for path in files if ".dist-info/" in str(path)]
            text = "\n\n".join(path.read_text("utf-8") for path in own)
            yield f"{pin.name} {pin.version}: {licence_of(found)}", text or "(no text with it)"


def _installed(pin: Pin) -> Distribution | None:
    """The library as it is here; for another version or system its licence is the same."""
    try:
        return distribution(pin.name)
    except PackageNotFoundError:
        return None


def written(tree: Path, version: str, when: datetime) -> None:
    """Write both beside what the wheel is built from."""
    pins = pins_read((ROOT / "requirements" / "postgres.txt").read_text())
    (tree / "klaverclub.cdx.json").write_text(bill_of_materials(pins, version, when), "utf-8")
    (tree / "licences.txt").write_text(f"{licences(pins)}\n", "utf-8")
