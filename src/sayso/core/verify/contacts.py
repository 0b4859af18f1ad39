"""Ways to reach people and places in text: addresses, telephone numbers, links, files; and quotations.

Telephone numbers are compared by their last nine digits and not parsed by a library of numbering plans: a
number that no record holds is wrong in any plan.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sayso.core.verify.value import Value, ValueKind
from sayso.core.verify.words import fold

QUOTE_MARK = re.compile(r"[\"“„«»]")
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}")
_HANDLE = re.compile(r"(?<![\w@])@\w{2,40}")
_URL = re.compile(r"(?:https?://|www\.)[^\s<>\"')\]]{1,500}", re.IGNORECASE)
_PATH = re.compile(
    r"(?<![\w/.])(?:~?/)?(?:[\w.-]{1,60}/){1,12}[\w.-]{1,80}\.[A-Za-z]{1,5}\b"
    r"|(?<![\w/@.-])[\w-]{2,60}\.(?:md|pdf|html?|txt|docx?|csv|xlsx?|mdx|json|ics|vcf)\b"
)
_PHONE = re.compile(r"(?<![\w.,])(?:\+|\(\+?|00)?\d[\d \u00a0().\-/]{5,22}\d(?![\w%]|[.,]\d)")
_AMERICAN = re.compile(r"\(?\d{3}\)?[ .-]\d{3}[.-]\d{4}")
_QUOTE = re.compile(r"[\"“„«»]([^\"“”„«»\n]{2,400})[\"”“«»]")
_ISO_LIKE = re.compile(r"\d{4}-\d\d|\d{1,2}\.\d{1,2}\.\d{2,4}|\d{1,2}/\d{1,2}/\d{2,4}")


def links(text: str) -> Iterator[Value]:
    for pattern, kind in ((_URL, ValueKind.URL), (_EMAIL, ValueKind.EMAIL), (_HANDLE, ValueKind.EMAIL)):
        for m in pattern.finditer(text):
            shown = m.group().rstrip(".,;:!?*_")
            yield Value(kind, m.start(), m.start() + len(shown), shown, key=contact_key(shown))


def paths(text: str) -> Iterator[Value]:
    for m in _PATH.finditer(text):
        yield Value(ValueKind.PATH, m.start(), m.end(), m.group(), key=fold(m.group()).rsplit("/", 1)[-1])


def quotations(text: str) -> Iterator[Value]:
    for m in _QUOTE.finditer(text):
        yield Value(ValueKind.QUOTE, m.start(), m.end(), m.group(1), key=quote_key(m.group(1)))


def phones(text: str, shown: str) -> Iterator[Value]:
    for m in _PHONE.finditer(text):
        if any(c.isalpha() for c in shown[m.start() : m.end()]):
            continue  # number words, in digits
        digits = re.sub(r"\D", "", m.group())
        plus = m.group().lstrip("(")[:1] in "+" or digits.startswith("0")
        grouped = plus or m.group().count(" ") >= 2 or _AMERICAN.fullmatch(m.group())
        if 7 <= len(digits) <= 15 and grouped and not _ISO_LIKE.search(m.group()):
            yield Value(ValueKind.PHONE, m.start(), m.end(), m.group(), key=phone_key(digits))


def contact_key(written: str) -> str:
    return re.sub(r"^(?:https?://)?(?:www\.)?", "", fold(written)).rstrip("/")


def phone_key(digits: str) -> str:
    """The last nine digits: country code and trunk zero do not matter."""
    return digits.removeprefix("00").lstrip("0")[-9:]


def quote_key(text: str) -> str:
    return " ".join(re.findall(r"\w+", fold(text)))
