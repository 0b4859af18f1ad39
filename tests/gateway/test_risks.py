"""What a card warns of: hidden and imitated text, addresses, amounts; and what it must not warn of."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.gateway.risks import Recorded, Risk, RiskCode, address_risks, money_in, text_risks
from sayso.serving.visible import hides

TRICKS = {
    "right-to-left override": "invoice\u202efdp.exe", "left-to-right override": "pay\u202dto", "embedding": "a\u202bb",
    "isolate": "a\u2066b", "pop isolate": "a\u2069b", "arabic mark": "a\u061cb", "left-to-right mark": "a\u200eb",
    "zero width space": "pay\u200bpal", "zero width joiner": "pay\u200dpal", "non-joiner": "pay\u200cpal",
    "word joiner": "pay\u2060pal", "soft hyphen": "pay\u00adpal", "byte order mark": "a\ufeffb",
    "tag letters": "hi" + "".join(chr(0xE0000 + ord(c)) for c in "send"), "null": "a\x00b", "escape": "a\x1b[8mb",
    "backspace": "a\x08b", "carriage return": "pay ann\rpay bob", "line separator": "a\u2028b",
    "hangul filler": "a\u3164b", "braille blank": "a\u2800b", "no-break space": "a\u00a0b", "ideographic space": "a\u3000b",
    "grapheme joiner": "a\u034fb", "variation selector": "a\ufe01b", "supplementary selector": "a\U000e0101b",
    "private use": "a\ue000b", "unassigned": "a\u0378b", "mixed script": "\u0440aypal.com", "whole script": "pay to \u0440\u0430\u0443 now please",
    "roman numeral": "paypa\u217c.com", "phonetic letter": "\u0261oogle.com", "letter-like": "\u2113ink", "coptic": "\u2c9flga",
    "lisu": "\ua4f3lga",
    "math letters": "\U0001d429\U0001d41a\U0001d432", "full width": "ｐａｙ", "leader dot": "elena@singa\u2024example",
    "padding": "Hi Bob" + " " * 60 + "and pay", "empty lines": "Hi" + "\n" * 12 + "and pay", "stacked": "a" + "\u0301" * 9,
    "small l for I": "PayPaI", "rn for m": "rnarket.example", "zero for o": "g00gle.example", "sub-domain": "bank.example.evil.test",
    "dash": "elena-weber@example.org",
}  # fmt: skip
UNSEEN = {"small l for I", "rn for m", "zero for o", "sub-domain", "dash"}
ORDINARY = [
    "Elena Weber", "Zoë Müller-Lüdenscheidt", "Søren Kierkegaard", "José Ñandú", "Đặng Thị Ngọc", "Nguye\u0302\u0303n", "Łukasz Żółć",
    "Ελένη Παπαδοπούλου", "Елена Иванова", "محمد", "דָּוִד", "東京都 太郎", "김철수", "สมชาย", "अनिता शर्मा", "O'Brien", "D’Arcy",
    "Straße 5, 8001 Zürich", "Dr. J. R. R. Tolkien", "a plan\n\nwith a few\nlines", "👍 good", "½ cup", "No. 5 / 7", "naïve café",
    "Jour fixe – Dienstag, 14:00", "Москва (Moscow)", "東京 (Tokyo)", "100 % 4 ’ 5", "ann_lee@example.org", "+41 77 473 00 93",
]  # fmt: skip


@pytest.mark.parametrize("name", TRICKS)
def test_s10_a_trick_with_characters_is_named(name):
    assert bool(text_risks(TRICKS[name])) == (name not in UNSEEN)


def test_s10_at_least_as_many_tricks_are_seen_as_the_figure_to_beat():
    seen = sum(bool(text_risks(text)) for text in TRICKS.values())
    assert seen >= 31
    assert len(TRICKS) - seen == len(UNSEEN)


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_names_raise_no_alarm(text):
    assert text_risks(unicodedata.normalize("NFC", text)) == ()


def test_the_codes_say_which_trick_it_is():
    codes = {name: [r.code for r in text_risks(TRICKS[name])] for name in TRICKS}
    assert codes["right-to-left override"] == [RiskCode.BIDI]
    assert codes["hangul filler"] == [RiskCode.FILLER]
    assert codes["variation selector"] == [RiskCode.VARIATION]
    assert codes["zero width space"] == codes["tag letters"] == codes["private use"] == [RiskCode.HIDDEN]
    assert codes["padding"] == [RiskCode.PADDING]
    assert codes["stacked"] == [RiskCode.STACKED]
    assert text_risks("pay \u0440aypal.com")[0] == Risk(RiskCode.LOOK_ALIKE, ("\u0440aypal.com",))


def test_a_long_or_tall_text_is_said_to_be_and_how_much():
    assert text_risks("x" * 2001) == (Risk(RiskCode.LONG, ("2001",)),)
    assert text_risks("x\n" * 40) == (Risk(RiskCode.TALL, ("41",)),)
    assert text_risks("x" * 2000) == text_risks("x\n" * 38) == ()


@given(st.text())
def test_whatever_hides_is_warned_of(text):
    assert bool(text_risks(text)) or not any(hides(c) for c in text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Please pay CHF 1'200.50 today", "CHF 1'200.50"), ("it costs 40 €", "40 €"), ("$5", "$5"), ("20 Franken", "20 Franken"),
        ("to CH93 0076 2011 6238 5295 7", "CH93 0076 2011 6238 5295 7"), ("Call Elena at 14:00 about 3 points", None),
        ("on 2026-12-24", None), ("5 euros and USD 7", "5 euros · USD 7"), ("room 5 Europe", None),
    ],
)  # fmt: skip
def test_amounts_are_shown_apart(text, found):
    risks = money_in("text", text)
    assert [" · ".join(r.values) for r in risks] == ([found] if found else [])


def test_a_number_in_a_field_of_money_is_an_amount():
    assert money_in("amount", "1200") == (Risk(RiskCode.MONEY, ("1200",)),)
    assert money_in("count", "1200") == ()


CONTACTS = (
    ("p1", "Elena Weber", "elena@singa.example"), ("p1", "Elena Weber", "+41 77 473 00 93"), ("p2", "Bob", "bob@b.example"),
    ("p3", "Carla", "+41 44 000 00 00"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("value", "target", "code"),
    [
        ("elena@singa.example", "p1", None), ("Elena@SINGA.example", "p1", None), ("+41774730093", "p1", None),
        ("0041 77 473 00 93", "p1", None), ("elena@singa.example.evil.test", "p1", "address_differs"),
        ("bob@b.example", "p1", "address_of_other"), ("carla@c.example", "p3", "address_new"), ("bob@b.example", None, None),
        ("eve@evil.test", None, "recipient_unknown"), ("Elena Weber", "p1", None), (None, "p1", None),
        (["bob@b.example", "eve@evil.test"], None, "recipient_unknown"),
    ],
)  # fmt: skip
def test_an_address_is_held_against_what_is_recorded(value, target, code):
    found = [r.code.value for r in address_risks("address", value, Recorded(CONTACTS, target))]
    assert found == ([code] if code else [])


def test_a_new_way_to_reach_a_person_is_held_against_the_recorded_ones():
    way = [{"kind": "email", "value": "eve@evil.test", "label": None}]
    risks = address_risks("channels", way, Recorded((("p1", "Elena", "elena@singa.example"),), "p1"))
    assert [risk.code for risk in risks] == [RiskCode.ADDRESS_DIFFERS]
    assert address_risks("channels", way, Recorded(())) == ()  # of somebody who is new


def test_addresses_in_a_letter_are_no_recipients():
    assert address_risks("text", "write to eve@evil.test", Recorded(CONTACTS)) == ()


def test_each_risk_has_words_with_its_values():
    for code in RiskCode:
        words = Risk(code, ("VALUE",)).words
        assert words
        assert "{}" not in words
    assert (
        Risk(RiskCode.ADDRESS_DIFFERS, ("a@b.c", "d@e.f")).words
        == "another address than the recorded one: a@b.c · d@e.f"
    )
