"""Records of texts and a small lexicon, and the verdict of one sentence told of them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sayso.core.evidence import Evidence
from sayso.core.facts import FactKind, Field, FieldType, Value
from sayso.core.verify import Setting, Verifier
from sayso.core.verify.declared.lexicon import Lexicon
from sayso.core.verify.report import Profile

NOW = datetime(2019, 1, 1, tzinfo=UTC)

ADA: dict[str, Value] = {
    "Born": "( 1950-04-12 ) April 12, 1950 Lyon, France",
    "Died": "November 21, 2017 (2017-11-21) (aged 67) Turin, Italy",
    "Occupation(s)": ("Painter", "sculptor", "poet"),
    "Years active": "1969-1980; 1985-2010",
    "Spouse(s)": ("Kay Brill ( m. 1977; div. 1983)", "Sue Orme ( m. 1991; died 2016)"),
    "Children": "4, including Tom",
    "Siblings": ("Ann (sister)", "Rose (sister)", "Paul (brother)"),
    "Height": "1.74 m (5 ft 8 in)",
}
FILM: dict[str, Value] = {
    "Directed by": "Ang Moor",
    "Written by": ("Ang Moor", "Dan Pell"),
    "Edited by": "Ula Reed",
    "Starring": ("Heath Lowe", "Jake Gill", "Anne Hart"),
    "Release date": ("September 2, 2005 (Venice)", "December 9, 2005 (France)"),
    "Running time": "134 minutes",
    "Budget": "$14 million",
    "Box office": "$178.1 million",
    "Country": "France",
}
BAND: dict[str, Value] = {
    "Origin": "Lyon, France",
    "Genres": ("Rock", "folk rock"),
    "Years active": "2009 - present",
    "Labels": ("Creek", "Old Mill"),
    "Website": "oldmill.example",
}
TOWN: dict[str, Value] = {
    "Country": "Italy",
    "Land": "16.0 sq mi (41.4 sq km)",
    "Water": "3.4 sq mi (8.8 sq km)",
    "Founded": "c. 1786",
    "Fair": "6 - 21 August 2016",
    "Staff": "1,250",
}
LEXICON: dict[str, Any] = {
    "reading": {
        "as_of": "2019-01-01",
        "closed": True,
        "fields": [
            {"names": ["Born"], "tells": ["born", "birthday"]},
            {"names": ["Died"], "tells": ["died", "passed away", "lived"], "along": ["life"]},
            {"names": ["Years active"], "tells": ["active", "career", "began", "started", "retired", "performed"]},
            {"names": ["Spouse(s)"], "tells": ["married", "wife", "wives", "marriage"]},
            {"names": ["Siblings"], "tells": ["sister", "sisters", "brother"]},
            {"names": ["Awards"], "tells": ["award", "awards"]},
            {"names": ["Release date"], "tells": ["released", "premiered"]},
            {"names": ["Directed by"], "tells": ["directed"]},
            {"names": ["Written by"], "tells": ["written", "wrote"]},
            {"names": ["Starring"], "tells": ["stars"], "along": ["film"]},
            {"names": ["Running time"], "tells": ["long", "runs"]},
            {"names": ["Box office"], "tells": ["made"]},
            {"names": ["Budget"], "tells": ["cost"]},
        ],
        "places": {
            "Europe": {"said": ["European"], "level": "continent"},
            "France": {"said": ["French"], "within": ["Europe"], "level": "country"},
            "Lyon": {"within": ["France"]},
            "Italy": {"said": ["Italian"], "within": ["Europe"], "level": "country"},
            "Turin": {"within": ["Italy"]},
            "Peru": {"within": ["South America"]},
            "Monaco": {"within": ["France"]},
        },
        "eras": {"Second World War": ["1939-09-01", "1945-09-02"], "Long Boom": ["1948-01-01", "1973-12-31"]},
        "same": [["painter", "paintings"]],
        "balances": [{"gain": "Box office", "cost": "Budget", "won": ["profit"], "lost": ["flop", "lost money"]}],
    }
}
NO_SUBJECT = "_subject"


def facts_of(name: str, fields: Mapping[str, Value]) -> Evidence:
    types = {tuple: FieldType.LIST, int: FieldType.NUMBER}
    declared = [Field(n, types.get(type(v), FieldType.TEXT)) for n, v in fields.items()]
    kind = FactKind("record", (Field(NO_SUBJECT), *declared), NO_SUBJECT)
    evidence = Evidence()
    evidence.add_all([kind.fact({NO_SUBJECT: name, **fields}, source="records", key=name, as_of=NOW)])
    return evidence


def told_of(
    fields: Mapping[str, Value],
    sentence: str,
    *,
    name: str = "Ada Brill",
    lexicon: Mapping[str, Any] = LEXICON,
    now: datetime = NOW,
) -> str:
    """Whether a sentence holds, is wrong by a claim that was computed, or is not said by the record."""
    setting = Setting(now, "en", "", profile=Profile.STRICT, lexicon=Lexicon.from_mapping(lexicon))
    found = Verifier(facts_of(name, fields), setting).report(sentence).violations
    return "wrong" if any("says otherwise" in v.instruction for v in found) else "unsupported" if found else "holds"
