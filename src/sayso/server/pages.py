"""The few HTML pages: one shell for the application, and signing in. All content comes by the API."""

from __future__ import annotations

import math
from html import escape
from importlib.resources import files
from string import Template

from starlette.responses import HTMLResponse

_WEB = files("sayso.web")


def shell(*, locale: str, csrf: str, model: str, reason: str, sees: bool | None = None) -> HTMLResponse:
    """The application's page; `reason` says why this model answers, `sees` whether it reads images."""
    told = {True: "yes", False: "no", None: ""}[sees]
    return _page("app.html", 200, locale=locale, csrf=csrf, model=model, reason=reason, sees=told)


def sign_in(locale: str, token: str) -> HTMLResponse:
    """A button that signs in: only a POST uses the link up, so a link preview does not."""
    return _door("sign_in.html", 200, locale, "ask", token=token)


def signed_out(locale: str, status: int = 401, *, refused: bool = False, by_proxy: bool = False) -> HTMLResponse:
    """Tells to run `sayso link`; after a link that was used up or old, says so. `by_proxy`: a proxy signs in."""
    if by_proxy:
        return _door("by_proxy.html", status, locale, "proxy")
    return _door("signed_out.html", status, locale, "refused" if refused else "out")


def by_password(
    locale: str, door: str, *, next_page: str = "/", name: str = "", wrong: str = "", status: int = 200,
    seconds: float = 0,
) -> HTMLResponse:  # fmt: skip
    """The form of name and password; `wrong` is a key of what went wrong, `seconds` how long to wait."""
    language = locale if locale == "de" else "en"
    told = _WRONG[language, wrong].format(minutes=max(1, math.ceil(seconds / 60))) if wrong else ""
    name_label, password_label = _LABELS[language]
    page = _door(
        "password.html", status, locale, "password", door=door, next=next_page[:1000], name=name[:100], wrong=told,
        name_label=name_label, password_label=password_label, at_name="" if name else "autofocus",
        at_password="autofocus" if name else "",
    )  # fmt: skip
    if status == 429:
        page.headers["retry-after"] = str(max(1, math.ceil(seconds)))
    return page


_LABELS = {"en": ("Name", "Password"), "de": ("Name", "Passwort")}
_WRONG = {
    ("en", "wrong"): "This name and password do not belong together.",
    ("de", "wrong"): "Name und Passwort gehören nicht zusammen.",
    ("en", "often"): "Too many tries. Come again in {minutes} min.",
    ("de", "often"): "Zu viele Versuche. Versuche es in {minutes} Min. wieder.",
    ("en", "again"): "The page had grown old. Please sign in once more.",
    ("de", "again"): "Die Seite war zu alt. Bitte melde dich noch einmal an.",
}
_WORDS = {
    ("en", "ask"): ("Open your assistant", "This link signs this browser in. It works once.", "Sign in"),
    ("de", "ask"): ("Assistenten öffnen", "Dieser Link meldet diesen Browser an. Er gilt einmal.", "Anmelden"),
    ("en", "password"): ("Sign in", "With the name and password that you have here.", "Sign in"),
    ("de", "password"): ("Anmelden", "Mit deinem Namen und Passwort für diesen Assistenten.", "Anmelden"),
    ("en", "proxy"): ("You are not signed in", "Open this page the way your organisation signs you in.", "Try again"),
    ("de", "proxy"): (
        "Du bist nicht angemeldet",
        "Öffne diese Seite so, wie deine Organisation dich anmeldet.",
        "Noch einmal",
    ),
    ("en", "out"): ("You are signed out", "Run this in a terminal and open the link it prints:", ""),
    ("de", "out"): ("Du bist abgemeldet", "Führe das im Terminal aus und öffne den Link, der erscheint:", ""),
    ("en", "refused"): ("This link no longer works", "It was used or is over 15 minutes old. For a new one, run:", ""),
    ("de", "refused"): ("Dieser Link gilt nicht mehr", "Er wurde benutzt oder ist zu alt. Einen neuen gibt:", ""),
}


def _door(name: str, status: int, locale: str, words: str, /, **values: str) -> HTMLResponse:
    """A page before signing in: one frame, and the way in that `name` holds."""
    heading, text, button = _WORDS[locale if locale == "de" else "en", words]
    way_in = _filled(name, button=button, **values)
    frame = _template("door.html").substitute(
        locale=escape(locale), heading=escape(heading), text=escape(text), way_in=way_in
    )
    return HTMLResponse(frame, status)


def _page(name: str, status: int, /, **values: str) -> HTMLResponse:
    return HTMLResponse(_filled(name, **values), status)


def _filled(name: str, /, **values: str) -> str:
    return _template(name).substitute({k: escape(v) for k, v in values.items()})


def _template(name: str) -> Template:
    return Template(_WEB.joinpath("templates", name).read_text(encoding="utf-8"))
