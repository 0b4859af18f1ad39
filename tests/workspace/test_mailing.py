"""Sending: only a mail server's acceptance is "sent"."""

import socketserver
import threading

import pytest

from sayso.workspace.actions import Approved, workspace_actions
from sayso.workspace.mailing import MailRefused, MailUnknown, SmtpSettings

LETTER = {"recipient": "M", "address": "m@x.example", "subject": "x", "text": "Hello"}


class MailServer(socketserver.ThreadingTCPServer):
    """Speaks as much SMTP as one letter needs; `after_data` is its answer to it, None breaks off."""

    after_data: bytes | None = b"250 taken\r\n"
    received = b""


class Talk(socketserver.StreamRequestHandler):
    server: MailServer

    def handle(self) -> None:
        self.wfile.write(b"220 here\r\n")
        for line in self.rfile:
            if line.upper().startswith(b"DATA"):
                self.wfile.write(b"354 go on\r\n")
                while (text := self.rfile.readline()) != b".\r\n":
                    self.server.received += text
                if self.server.after_data is None:
                    return
                self.wfile.write(self.server.after_data)
            elif line.upper().startswith(b"QUIT"):
                self.wfile.write(b"221 bye\r\n")
                return
            else:
                self.wfile.write(b"250 ok\r\n")


@pytest.fixture
def server():
    with MailServer(("127.0.0.1", 0), Talk) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield running
        running.shutdown()


def sent(server, now):
    url = f"smtp://127.0.0.1:{server.server_address[1]}"
    (action,) = [a for a in workspace_actions(smtp=SmtpSettings(url, "me@x.example")) if a.external]
    return action.external(Approved(LETTER, None, None, "me", now, "key"))


def test_an_accepted_letter_is_sent(server, now):
    assert sent(server, now).outcome == "sent"
    assert b"From: me@x.example" in server.received


def test_a_refused_letter_is_not_sent(server, now):
    server.after_data = b"554 no\r\n"
    with pytest.raises(MailRefused, match="not sent"):
        sent(server, now)


def test_a_letter_without_an_answer_is_unknown(server, now):
    server.after_data = None
    with pytest.raises(MailUnknown, match="may have sent"):
        sent(server, now)
