"""Static files as they are handed out once `collectstatic` has collected them.

A module of ours becomes one file with all that it imports, a style sheet one with all that it
imports: without comments and indents, beside a source map, and under a name that changes with its
content. Before that (a development server, tests) files keep their own names and are found in the
apps as they were written.
"""

import json
import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import PurePosixPath
from posixpath import normpath, relpath
from typing import Any, Final
from wsgiref.headers import Headers

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

APPS: Final = ("clubs/", "scoring/", "tournaments/")
"""What is ours; what others bring stays as it is."""

IMPORT: Final = re.compile(r'^import (?:\{([^}]*)\} from )?"(\.[^"]+)";$', re.MULTILINE)
PASSED_ON: Final = re.compile(r'^export \{([^}]*)\} from "(\.[^"]+)";$', re.MULTILINE)
EXPORT: Final = re.compile(r"^export ((?:async )?function\*?|class|const) (\w+)", re.MULTILINE)
STYLE_IMPORT: Final = re.compile(r'^@import "(\.[^"]+)";$', re.MULTILINE)
STYLE_URL: Final = re.compile(r'url\("(?!data:|/)([^"]+)"\)')
LEFT_OVER: Final = re.compile(r"^\s*(?:import|export)\b|\bimport\s*[(.]", re.MULTILINE)
WAITS: Final = re.compile(r"^(?:const .*= |let .*= )?await\b", re.MULTILINE)
NAMED: Final = re.compile(r"""{% static '([^']+\.js)' %}""")
QUOTED: Final = re.compile(r'("[^"]*")')
AROUND_MARKS: Final = re.compile(r"\s*([{};,])\s*")
COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)


class CannotBundle(Exception):
    """A module says something that bundling does not know."""


@dataclass(slots=True)
class Line:
    """A line of a bundle, and which line and column of which module it was."""

    text: str
    source: str = ""
    number: int = 0
    column: int = 0


@dataclass(slots=True)
class Module:
    """A module of ours, read from its text. `imports` are names of files, with what is taken out of
    each by its own name and ours; `exports` how what it gives away is called in it."""

    name: str
    text: str
    imports: list[tuple[str, list[tuple[str, str]]]] = field(default_factory=list)
    exports: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        code = PASSED_ON.sub(self._pass_on, IMPORT.sub(self._take, self.text))
        code = EXPORT.sub(self._give, code)
        if found := LEFT_OVER.search(code):
            raise CannotBundle(f"{self.name}: {code[found.start() :].splitlines()[0]}")
        if code.count("`") % 2 or any(line.count("`") % 2 for line in code.splitlines()):
            raise CannotBundle(f"{self.name}: a text between backticks over more than one line")
        self.text = code

    @property
    def is_module(self) -> bool:
        """Whether it imports or exports; what does neither can also be a script or a worker."""
        return bool(self.imports or self.exports)

    @property
    def waits(self) -> bool:
        """Whether it waits for something before it is done."""
        return bool(WAITS.search(self.text))

    def lines(self) -> Iterator[Line]:
        """What there is to run: no comments, no indents."""
        for number, line in enumerate(self.text.splitlines()):
            text = line.strip()
            if text and not text.startswith("//"):
                yield Line(text, self.name, number, len(line) - len(line.lstrip()))

    def _take(self, found: re.Match[str]) -> str:
        self.imports.append((self._path(found[2]), _pairs(found[1] or "")))
        return "\n" * found[0].count("\n")

    def _pass_on(self, found: re.Match[str]) -> str:
        taken = [(theirs, f"${theirs}") for theirs, _ours in _pairs(found[1])]
        self.imports.append((self._path(found[2]), taken))
        self.exports |= {given: f"${theirs}" for theirs, given in _pairs(found[1])}
        return "\n" * found[0].count("\n")

    def _give(self, found: re.Match[str]) -> str:
        self.exports[found[2]] = found[2]
        return f"{found[1]} {found[2]}"

    def _path(self, address: str) -> str:
        return normpath(f"{PurePosixPath(self.name).parent}/{address}")


def _pairs(listed: str) -> list[tuple[str, str]]:
    """The names in `a, b as c`, each as it is there and as it is called here."""
    parts = [part.split() for part in listed.split(",") if part.strip()]
    return [(part[0], part[-1]) for part in parts]


def bundle(name: str, modules: Mapping[str, str]) -> tuple[str, str]:
    """This module and all that it imports as one, and the source map of that. `modules` has the
    text of each by its name.

    Each module runs once, in the order of their imports, also where two bundles of a page have it.
    """
    read: dict[str, Module] = {}
    ordered = list(_in_order(name, modules, read, ()))
    if not ordered[-1].is_module:
        lines = list(ordered[-1].lines())
    else:
        first = Line("const run = (name, make) => (globalThis.modules ??= {})[name] ??= make();")
        lines = [first, *chain.from_iterable(_wrapped(one, read, name) for one in ordered)]
        if given := ", ".join(sorted(ordered[-1].exports)):
            lines.append(Line(f"export const {{ {given} }} = m{len(ordered) - 1};"))
    sources = [module.name for module in ordered]
    source_map = {
        "version": 3,
        "sources": sources,
        "sourcesContent": [modules[source] for source in sources],
        "names": [],
        "mappings": _mappings(lines, sources),
    }
    text = "".join(f"{line.text}\n" for line in lines)
    return f"{text}//# sourceMappingURL={PurePosixPath(name).name}.map\n", json.dumps(source_map)


def _in_order(
    name: str, modules: Mapping[str, str], read: dict[str, Module], above: tuple[str, ...]
) -> Iterator[Module]:
    """What a module imports, then itself; each once."""
    if name in above:
        raise CannotBundle(f"{name} imports itself, by {' and '.join(above)}")
    if name in read:
        return
    if name not in modules:
        raise CannotBundle(f"{above[-1]}: there is no {name}")
    module = Module(name, modules[name])
    for imported, taken in module.imports:
        yield from _in_order(imported, modules, read, (*above, name))
        if lacking := [theirs for theirs, _ours in taken if theirs not in read[imported].exports]:
            raise CannotBundle(f"{name}: {imported} has no {lacking[0]}")
    if above and module.waits:
        raise CannotBundle(f"{name}: only what nothing imports can wait")
    read[name] = module
    yield module


def _wrapped(module: Module, read: Mapping[str, Module], entry: str) -> Iterator[Line]:
    """A module as a function of its own that runs once and gives what it exports."""
    numbers = {name: number for number, name in enumerate(read)}
    kept = (
        "" if module.name == entry and not module.exports else f"const m{numbers[module.name]} = "
    )
    start = "async () => {" if module.waits else "() => {"
    yield Line(f'{kept}{"await " if module.waits else ""}run("{module.name}", {start}')
    for imported, taken in module.imports:
        if taken:
            names = ", ".join(a if a == b else f"{a}: {b}" for a, b in taken)
            yield Line(f"const {{ {names} }} = m{numbers[imported]};")
    yield from module.lines()
    given = ", ".join(a if a == b else f"{a}: {b}" for a, b in sorted(module.exports.items()))
    yield Line(f"return {{ {given} }};" if given else "return {};")
    yield Line("});")


DIGITS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def _mappings(lines: Iterable[Line], sources: list[str]) -> str:
    """Where each line comes from, as a source map says it: as steps from the line before."""
    groups, source, number, column = [], 0, 0, 0
    for line in lines:
        if not line.source:
            groups.append("")
            continue
        at = sources.index(line.source)
        steps = (0, at - source, line.number - number, line.column - column)
        groups.append("".join(map(_digits, steps)))
        source, number, column = at, line.number, line.column
    return ";".join(groups)


def _digits(value: int) -> str:
    """A number in base 64, five bits at a time, its sign in the last.

    >>> _digits(0), _digits(-1), _digits(16)
    ('A', 'D', 'gB')
    """
    rest = -value << 1 | 1 if value < 0 else value << 1
    digits = ""
    while True:
        rest, digit = rest >> 5, rest & 31
        digits += DIGITS[digit | 32 if rest else digit]
        if not rest:
            return digits


def style_bundle(name: str, styles: Mapping[str, str]) -> str:
    """This style sheet after all that it imports, without comments and indents."""

    def content(found: re.Match[str]) -> str:
        imported = normpath(f"{folder}/{found[1]}")
        if imported not in styles:
            raise CannotBundle(f"{name}: there is no {imported}")
        return STYLE_URL.sub(
            lambda url: f'url("{relpath(f"{PurePosixPath(imported).parent}/{url[1]}", folder)}")',
            style_bundle(imported, styles),
        )

    folder = str(PurePosixPath(name).parent)
    whole = STYLE_IMPORT.sub(content, COMMENT.sub("", styles[name]))
    if "@import" in whole:
        raise CannotBundle(f"{name}: an @import that is not of a file of ours, or not in front")
    return "".join(f"{_tight(line.strip())}\n" for line in whole.splitlines() if line.strip())


def _tight(line: str) -> str:
    """A line of a style sheet without the spaces that nothing needs, but for those in quotes.

    >>> _tight('.a, .b > p { margin: 0 auto; content: " , "; }')
    '.a,.b > p{margin:0 auto;content:" , "}'
    """
    parts = QUOTED.split(line)
    parts[::2] = [AROUND_MARKS.sub(r"\1", part).replace(": ", ":") for part in parts[::2]]
    return "".join(parts).replace(";}", "}")


def own_headers(headers: Headers, path: str, _url: str) -> None:
    """What others bring as a page of its own, or a picture that is opened as one, does nothing."""
    if path.endswith((".html", ".svg")):
        headers["Content-Security-Policy"] = "default-src 'none'; frame-ancestors 'none'"


class FilesMiddleware(WhiteNoiseMiddleware):
    """Hands out files. One whose name changes with its content says nothing of when it changed: a
    browser never asks for it again, and a tenth of a small file would be headers."""

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = WhiteNoiseMiddleware.serve(static_file, request)
        if response.headers.get("Cache-Control", "").endswith("immutable"):
            del response.headers["ETag"], response.headers["Last-Modified"]
        return response


class VersionedStorage(CompressedManifestStaticFilesStorage):
    """Bundles what is ours, then names all files by their content and compresses them."""

    def post_process(
        self, paths: dict[str, tuple[Storage, str]], dry_run: bool = False, **options: Any
    ) -> Iterator[Any]:
        if not dry_run:
            scripts, styles = _texts(paths, ".js"), _texts(paths, ".css")
            inside = only_imported(scripts)
            for name in inside:
                self.delete(name)
            paths = {name: found for name, found in paths.items() if name not in inside}
            bundled = self._bundle(scripts, styles, inside)
            paths |= {name: (self, name) for name in bundled}
        yield from super().post_process(paths, dry_run=dry_run, **options)

    def stored_name(self, name: str) -> str:
        return str(super().stored_name(name)) if self.hashed_files else name

    def _bundle(
        self, scripts: Mapping[str, str], styles: Mapping[str, str], inside: Container[str]
    ) -> Iterator[str]:
        """Write the bundles over what was collected; gives their names."""
        for name in (each for each in scripts if each not in inside):
            script, source_map = bundle(name, scripts)
            yield self._write(name, script)
            yield self._write(f"{name}.map", source_map)
        for name in styles:
            yield self._write(name, style_bundle(name, styles))

    def _write(self, name: str, text: str) -> str:
        self.delete(name)
        return str(self.save(name, ContentFile(text.encode())))


def only_imported(scripts: Mapping[str, str]) -> set[str]:
    """Modules that stand in the bundles of others and that no template names."""
    templates = (settings.FILES_DIR / "templates").rglob("*.html")
    named = {name for path in templates for name in NAMED.findall(path.read_text())}
    modules = [Module(name, text) for name, text in scripts.items()]
    imported = {name for module in modules for name, _taken in module.imports}
    return imported - named


def _texts(paths: Mapping[str, tuple[Storage, str]], ending: str) -> dict[str, str]:
    """What our own files of this kind say, as they were written."""
    texts = {}
    for name, (storage, path) in paths.items():
        if name.startswith(APPS) and name.endswith(ending):
            with storage.open(path) as file:
                texts[name] = file.read().decode()
    return texts
