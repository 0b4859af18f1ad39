"""Actions: what an approval does, and that nothing is called sent before a server took it."""

import email
import email.policy
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.proposals import Target
from sayso.workspace import mailing
from sayso.workspace.actions import ActionImpossible, Approved, workspace_actions
from sayso.workspace.mailing import MailRefused, SmtpSettings


@pytest.fixture
def act(workspace, now):
    actions = {action.name: action for action in workspace_actions()}

    def run(name, arguments, target=None, precondition=None, key=""):
        approved = Approved(arguments, target, precondition, "me", now, key)
        return workspace.database.write(lambda c: actions[f"workspace.{name}"].internal(c, approved))

    return run


def person(workspace, name):
    stored = next(s for s in workspace.list("me", "person") if s.title == name)
    return stored, Target("person", stored.id, stored.title)


def test_commitment_is_created_with_its_date(act, workspace):
    done = act("create_commitment", {"title": "Call Elena", "due": "2026-12-04", "counterparty": "Elena Weber"})
    assert (done.outcome, done.details) == ("created", "Call Elena, due 2026-12-04")
    assert any(s.title == "Call Elena" for s in workspace.list("me", "commitment"))


def test_event_comes_with_a_calendar_file(act):
    done = act(
        "create_event",
        {"title": "Lunch, or; more", "starts": "2026-12-03T15:00:00+01:00", "attendees": ["Mark"]},
    )
    (name, media_type, content) = done.files[0]
    assert (name, media_type) == ("event.ics", "text/calendar; charset=utf-8")
    assert b"SUMMARY:Lunch\\, or\\; more\r\n" in content
    assert b"DTSTART:20261203T140000Z\r\n" in content


def test_email_is_approved_and_not_sent(act, workspace):
    stored, target = person(workspace, "Jörg Müller")
    values = {
        "recipient": "Jörg Müller",
        "address": "joerg@mueller.example",
        "subject": "Grüße",
        "text": "Hallo\nJörg",
    }
    done = act("prepare_email", values, target, stored.etag)
    assert done.outcome == "approved, not sent"
    assert "mailto:joerg@mueller.example?subject=Gr%C3%BC%C3%9Fe&body=Hallo%0D%0AJ%C3%B6rg" in done.details
    message = email.message_from_bytes(done.files[0][2], policy=email.policy.default)
    assert message["To"] == "Jörg Müller <joerg@mueller.example>"
    assert message["Subject"] == "Grüße"


@pytest.mark.parametrize("subject", ["Hi\nBcc: all@x.example", "Hi\r\nX: y"])
def test_a_line_break_in_a_header_is_refused(act, subject):
    with pytest.raises(MailRefused):
        act("prepare_email", {"recipient": "M", "address": "m@x.example", "subject": subject, "text": "x"})


@pytest.mark.parametrize(
    "address", ["a@x.example,b@x.example", "a@x.example\nBcc: b@x.example", "nobody", "a b@x.example"]
)
def test_only_one_plain_address_is_taken(act, address):
    with pytest.raises(MailRefused):
        act("prepare_email", {"recipient": "M", "address": address, "subject": "x", "text": "x"})


def test_a_changed_target_stops_the_action(act, workspace, now):
    stored, target = person(workspace, "Mark Baumann")
    workspace.update("me", stored.id, stored.record, now)
    with pytest.raises(ActionImpossible, match="has changed since"):
        act("prepare_message", {"recipient": "Mark Baumann", "text": "x"}, target, stored.etag)


def test_a_target_of_another_owner_is_not_there(act, workspace):
    (other,) = workspace.list("other", "person")
    with pytest.raises(ActionImpossible, match="no longer there"):
        act("prepare_message", {"recipient": "x", "text": "x"}, Target("person", other.id, "x"))


def test_check_in_counts_a_day_once(act, workspace):
    habit = next(s for s in workspace.list("me", "habit") if s.title == "Meditate")
    target = Target("habit", habit.id, habit.title)
    assert act("check_in", {"habit": "Meditate", "day": "2026-12-02"}, target, habit.etag).outcome == "recorded"
    assert act("check_in", {"habit": "Meditate", "day": "2026-12-02"}, target, habit.etag).outcome == "already recorded"
    with pytest.raises(ActionImpossible):
        act("check_in", {"habit": "Meditate", "day": "2026-12-09"}, target, habit.etag)


def test_a_note_can_be_found(act, workspace):
    from sayso.workspace.names import terms_of
    from sayso.workspace.search import find

    assert act("create_note", {"title": "Keel", "text": "Oak, not pine."}, key="k").outcome == "created"
    assert workspace.database.read(lambda c: find(c, "me", "document", terms_of("oak pine")))


def test_other_is_approved_and_not_done(act):
    assert act("other", {"title": "Fix the roof", "text": "Fix the roof"}).outcome == "approved, not done"


def test_an_unreachable_mail_server_means_not_sent(now):
    (send,) = [a for a in workspace_actions(smtp=SmtpSettings("smtp://127.0.0.1:1", "me@x.example")) if a.external]
    values = {"recipient": "M", "address": "m@x.example", "subject": "x", "text": "x"}
    with pytest.raises(MailRefused, match="not sent"):
        send.external(Approved(values, None, None, "me", now))


@given(st.text(max_size=300), st.text(max_size=100))
def test_calendar_lines_are_short_and_nothing_adds_a_line(title, notes):
    now = datetime.fromisoformat("2026-12-02T09:30+01:00")
    content = mailing.calendar(
        title=title, starts=now, ends=None, place=None, notes=notes, attendees=(), uid="x", now=now
    )
    lines = content.split(b"\r\n")
    assert all(len(line) <= 75 for line in lines)
    names = [line.split(b":")[0] for line in lines if line and not line.startswith(b" ")]
    assert names.count(b"SUMMARY") == 1
    assert set(names) <= {
        b"BEGIN", b"VERSION", b"PRODID", b"UID", b"DTSTAMP", b"DTSTART", b"SUMMARY", b"DESCRIPTION", b"END",
    }  # fmt: skip
