"""Which lexicon a labelled text is read with: one for all, or a folder with one for each domain.

In a folder, `domains.toml` names the file of a domain (`gadgets = "phones"`); without an entry it is the file
of the domain's own name. A domain without a file is read without a lexicon.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sayso.core.verify.declared.lexicon import NO_LEXICON, Lexicon
from sayso.errors import ConfigError, DeclarationError
from sayso.verifying.files import read_lexicon

DOMAINS = "domains.toml"


@dataclass(frozen=True, slots=True)
class Lexicons:
    """One lexicon for every domain, but for those that have their own."""

    one: Lexicon = NO_LEXICON
    by_domain: Mapping[str, Lexicon] = field(default_factory=dict[str, Lexicon])

    def of(self, domain: str) -> Lexicon:
        return self.by_domain.get(domain, self.one)


def chosen_lexicons(one: Path | None, folder: Path | None, domains: Iterable[str]) -> Lexicons:
    """Raises ConfigError where both are given or a folder is none, DeclarationError for a bad lexicon."""
    if one and folder:
        raise ConfigError("give one lexicon or a folder of them, not both")
    if folder:
        return Lexicons(by_domain=_in_folder(folder, sorted(set(domains))))
    return Lexicons(read_lexicon(one)) if one else Lexicons()


def _in_folder(folder: Path, domains: Iterable[str]) -> dict[str, Lexicon]:
    if not folder.is_dir():
        raise ConfigError(f"{folder} is no folder: name one that holds a lexicon for each domain")
    named = _names(folder / DOMAINS)
    files = {domain: folder / f"{named.get(domain, domain)}.toml" for domain in domains if domain}
    return {domain: read_lexicon(file) for domain, file in files.items() if file.exists()}


def _names(path: Path) -> Mapping[str, str]:
    if not path.exists():
        return {}
    try:
        names: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise DeclarationError(f"{path}: not TOML: {wrong}") from wrong
    if bad := next((n for n, file in names.items() if not isinstance(file, str) or Path(file).name != file), None):
        raise DeclarationError(f'{path}: {bad} is no file\'s name: write {bad} = "name", without .toml')
    return names
