"""Letters and calendar files: mailto links, .eml and .ics content, and sending by SMTP.

Headers are refused where they hold line breaks; nothing here decides whether to send.
"""

from __future__ import annotations

import hashlib
import re
import smtplib
import ssl
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from urllib.parse import quote, unquote, urlsplit

from sayso.errors import ConfigError, SaysoError

SECONDS = 30


class MailRefused(SaysoError):
    """A letter cannot be made or was not accepted: it has not been sent."""

    code = "mail_refused"


class MailUnknown(SaysoError):
    """The server did not say whether it took the letter: it may have been sent."""

    code = "mail_unknown"


@dataclass(frozen=True, slots=True)
class SmtpSettings:
    """`url`: smtp://[user:password@]host[:port] (with STARTTLS) or smtps://...; `sender`: the From address."""

    url: str = field(repr=False)
    sender: str

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
            raise ConfigError("smtp_url is written smtp://user:password@host:587 or smtps://user:password@host")
        _checked_address(self.sender)


def mailto(address: str | None, subject: str, text: str) -> str:
    """A mailto: link (RFC 6068); line breaks become CRLF."""
    body = quote(re.sub(r"\r\n|\r|\n", "\r\n", text), safe="")
    return f"mailto:{quote(address or '', safe='@+.-_')}?subject={quote(subject, safe='')}&body={body}"


def letter(
    *, recipient: str, address: str | None, subject: str, text: str, now: datetime, sender: str | None = None,
    key: str = "",
) -> EmailMessage:  # fmt: skip
    """An e-mail. Raises MailRefused when a header would hold a line break or the address is none."""
    message = EmailMessage(policy=SMTP)
    _set(message, "Subject", subject)
    message["Date"] = format_datetime(now)
    if address:
        message["To"] = _address(recipient, address)
    if sender:
        message["From"] = _address("", sender)
    if key:
        message["Message-ID"] = f"<{hashlib.sha256(key.encode()).hexdigest()[:32]}@sayso.invalid>"
    if not sender:
        message["X-Unsent"] = "1"  # mail programs open it as a draft
    message.set_content(text)
    return message


def calendar(
    *, title: str, starts: datetime, ends: datetime | None, place: str | None, notes: str | None,
    attendees: tuple[str, ...], uid: str, now: datetime,
) -> bytes:  # fmt: skip
    """One event as an iCalendar file (RFC 5545): UTC times, escaped text, folded lines."""
    lines = [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Sayso//Sayso//EN", "BEGIN:VEVENT",
        f"UID:{_ics_text(uid)}", f"DTSTAMP:{_ics_time(now)}", f"DTSTART:{_ics_time(starts)}",
    ]  # fmt: skip
    if ends:
        lines.append(f"DTEND:{_ics_time(ends)}")
    lines.append(f"SUMMARY:{_ics_text(title)}")
    if place:
        lines.append(f"LOCATION:{_ics_text(place)}")
    described = "\n".join(part for part in (notes, _with(attendees)) if part)
    if described:
        lines.append(f"DESCRIPTION:{_ics_text(described)}")
    lines += ["END:VEVENT", "END:VCALENDAR"]
    return b"".join(_folded(line) + b"\r\n" for line in lines)


def send(settings: SmtpSettings, message: EmailMessage) -> str:
    """Hand a letter to the server; its acceptance is the only thing that counts as sent.

    Raises MailRefused when it was certainly not taken, MailUnknown when the connection broke after
    the letter was handed over. Without TLS no password is sent, except to this machine.
    """
    parts = urlsplit(settings.url)
    host = parts.hostname or ""
    try:
        connection = _connect(parts.scheme, host, parts.port)
    except (OSError, smtplib.SMTPException) as fault:
        raise MailRefused(f"not sent: the mail server {host} could not be reached ({fault})") from fault
    with connection:
        try:
            if parts.username:
                connection.login(unquote(parts.username), unquote(parts.password or ""))
        except (OSError, smtplib.SMTPException) as fault:
            raise MailRefused(f"not sent: the mail server {host} refused the sign-in") from fault
        return _hand_over(connection, settings, message, host)


def _hand_over(connection: smtplib.SMTP, settings: SmtpSettings, message: EmailMessage, host: str) -> str:
    try:
        connection.send_message(message, from_addr=settings.sender)
    except (
        smtplib.SMTPRecipientsRefused, smtplib.SMTPSenderRefused, smtplib.SMTPDataError, smtplib.SMTPHeloError,
        smtplib.SMTPNotSupportedError,
    ) as fault:  # fmt: skip
        raise MailRefused(f"not sent: the mail server {host} refused the letter ({fault})") from fault
    except (OSError, smtplib.SMTPException) as fault:
        raise MailUnknown(f"the mail server {host} broke off; it may have sent the letter") from fault
    return f"accepted by {host}"


def _connect(scheme: str, host: str, port: int | None) -> smtplib.SMTP:
    if scheme == "smtps":
        return smtplib.SMTP_SSL(host, port or 465, timeout=SECONDS, context=ssl.create_default_context())
    connection = smtplib.SMTP(host, port or 587, timeout=SECONDS)
    try:
        connection.ehlo()
        if connection.has_extn("starttls"):
            connection.starttls(context=ssl.create_default_context())
        elif host not in ("localhost", "127.0.0.1", "::1"):
            raise smtplib.SMTPException("it offers no encryption")
    except BaseException:
        connection.close()
        raise
    return connection


def _set(message: EmailMessage, name: str, value: str) -> None:
    if re.search(r"[\r\n\x00\x85\u2028\u2029]", value):
        raise MailRefused(f"the {name.lower()} holds a line break; write it on one line")
    message[name] = value


def _address(name: str, address: str) -> Address:
    _checked_address(address)
    if re.search(r"[\r\n\x00]", name):
        raise MailRefused("the recipient's name holds a line break")
    return Address(display_name=name if name != address else "", addr_spec=address)


def _checked_address(address: str) -> None:
    try:
        if re.search(r"[\s\x00,;<>]", address) or "@" not in address:
            raise ValueError(address)
        Address(addr_spec=address)
    except (ValueError, IndexError, LookupError) as wrong:
        raise MailRefused(f"{address!r} is no e-mail address") from wrong


def _with(attendees: tuple[str, ...]) -> str:
    return f"With {', '.join(attendees)}" if attendees else ""


def _ics_time(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _ics_text(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    escaped = re.sub(r"\r\n|\r|\n", r"\\n", escaped)
    return "".join(c for c in escaped if c == "\t" or ord(c) >= 32)


def _folded(line: str) -> bytes:
    """At most 75 octets a line, never cut inside a character."""
    pieces: list[bytes] = []
    piece = b""
    for character in line:
        encoded = character.encode("utf-8", "replace")
        if len(piece) + len(encoded) > (75 if not pieces else 74):
            pieces.append(piece)
            piece = b""
        piece += encoded
    return b"\r\n ".join([*pieces, piece])
