"""The few HTML pages: one shell for the application, and signing in. All content comes by the API."""

from __future__ import annotations

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


def signed_out(locale: str, status: int = 401, *, refused: bool = False) -> HTMLResponse:
    """Tells to run `sayso link`; after a link that was used up or old, says so."""
    return _door("signed_out.html", status, locale, "refused" if refused else "out")


_WORDS = {
    ("en", "ask"): ("Open your assistant", "This link signs this browser in. It works once.", "Sign in"),
    ("de", "ask"): ("Assistenten öffnen", "Dieser Link meldet diesen Browser an. Er gilt einmal.", "Anmelden"),
    ("en", "out"): ("You are signed out", "Run this in a terminal and open the link it prints:", ""),
    ("de", "out"): ("Du bist abgemeldet", "Führe das im Terminal aus und öffne den Link, der erscheint:", ""),
    ("en", "refused"): ("This link no longer works", "It was used or is over 15 minutes old. For a new one, run:", ""),
    ("de", "refused"): ("Dieser Link gilt nicht mehr", "Er wurde benutzt oder ist zu alt. Einen neuen gibt:", ""),
}


def _door(name: str, status: int, locale: str, words: str, **values: str) -> HTMLResponse:
    """A page before signing in: one frame, and the way in that `name` holds."""
    heading, text, button = _WORDS[locale if locale == "de" else "en", words]
    way_in = _filled(name, button=button, **values)
    frame = _template("door.html").substitute(
        locale=escape(locale), heading=escape(heading), text=escape(text), way_in=way_in
    )
    return HTMLResponse(frame, status)


def _page(name: str, status: int, **values: str) -> HTMLResponse:
    return HTMLResponse(_filled(name, **values), status)


def _filled(name: str, **values: str) -> str:
    return _template(name).substitute({k: escape(v) for k, v in values.items()})


def _template(name: str) -> Template:
    return Template(_WEB.joinpath("templates", name).read_text(encoding="utf-8"))
