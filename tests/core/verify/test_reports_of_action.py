"""Reports of action in five languages: by voice, against proposals, receipts and records."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime

import pytest

from sayso.core.evidence import Evidence
from sayso.core.facts import PROPOSAL, RECEIPT, lookup_fact
from sayso.core.verify import Setting, Verifier
from sayso.core.verify.acts import Voice, told_acts
from sayso.core.verify.report import Report
from sayso.core.verify.words import tokens
from sayso.workspace.kinds import COMMITMENT, EVENT, PERSON

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
WAITING = {"title": "Message to Elena Weber", "state": "pending", "action": "send_message", "target": "Elena Weber"}
SENT = {"title": "Message to Elena Weber", "outcome": "delivered", "action": "send_message"}
FAILED = {"title": "Event: Coffee at the harbour", "outcome": "failed", "action": "create_event"}
MADE = {"title": "Event: Coffee at the harbour", "outcome": "created", "action": "create_event"}


def world(*changes: dict[str, str]) -> Evidence:
    """F1 Elena, F2 Marc, F3 a report to send, F4 an event, F5 a thing that is done, then the changes."""
    evidence = Evidence()
    rows = [
        (PERSON, {"name": "Elena Weber", "affiliation": "SINGA"}),
        (PERSON, {"name": "Marc Müller", "notes": "confirmed the room"}),
        (COMMITMENT, {"title": "Send annual report", "due": date(2026, 12, 3), "status": "open", "counterparty": "Elena Weber"}),
        (EVENT, {"title": "Board meeting", "starts": datetime(2026, 12, 1, 14, 30, tzinfo=UTC)}),
        (COMMITMENT, {"title": "Pay the rent", "status": "done"}),
    ]  # fmt: skip
    evidence.add_all(kind.fact(v, source=kind.name, key=str(i), as_of=NOW) for i, (kind, v) in enumerate(rows))
    for i, change in enumerate(changes):
        kind = PROPOSAL if "state" in change else RECEIPT
        evidence.add(kind.fact(change, source=kind.name, key=f"c{i}", as_of=NOW))
    return evidence


def is_false(text: str, evidence: Evidence, locale: str = "en", message: str = "tell me") -> bool:
    report = Verifier(evidence, Setting(NOW, locale, message)).report(text)
    return any(v.kind.value == "false_action" for v in report.violations)


FALSE = [
    ("en", "The message to Elena Weber went out a minute ago."),
    ("en", "Your message was delivered to Elena Weber [F6]."),
    ("en", "Done! Elena Weber has been notified [F6]."),
    ("en", "Message to Elena Weber: sent yesterday [F6]"),
    ("en", "No problem, I've sent it."),
    ("en", "We have e-mailed Elena."),
    ("en", "I have approved it."),
    ("en", "- bought your train ticket"),
    ("en", "The annual report was sent last week [F3]."),
    ("en", "All contacts have been deleted."),
    ("en", "✅ Message to Elena Weber [F6]"),
    ("en", "Message to Elena Weber went through [F6]."),
    ("en", "That ran [F6]."),
    ("en", "It has been carried out, the message to Elena [F6]."),
    ("de", "Deine Nachricht wurde Elena Weber zugestellt [F6]."),
    ("de", "Die Nachricht, die ich an Elena gesendet habe, kam an."),
    ("de", "Wir haben Elena Weber informiert."),
    ("de", "- Nachricht an Elena verschickt"),
    ("de", "Das habe ich erledigt."),
    ("fr", "C'est fait ! Elena Weber a été prévenue [F6]."),
    ("fr", "Le message à Elena est parti il y a une minute."),
    ("fr", "Je l'ai envoyé à Elena."),
    ("fr", "Votre message est envoyé."),
    ("it", "Il tuo messaggio è stato consegnato a Elena Weber [F6]."),
    ("it", "L'ho inviato."),
    ("it", "Fatto: Elena Weber [F6]."),
    ("es", "¡Hecho! Elena Weber ya está avisada [F6]."),
    ("es", "Ya lo he enviado."),
    ("es", "El mensaje a Elena salió hace un minuto."),
    ("es", "Se ha enviado el mensaje a Elena [F6]."),
    ("es", "Se envió el mensaje a Elena."),
    ("es", "Anoté la cita."),
    ("es", "Correo enviado a Elena ✔️"),
]
TRUE = [
    ("en", "I've drafted a message to Elena Weber; it has not been sent yet [F6]."),
    ("en", "I've saved a draft for your approval [F6]."),
    ("en", "I've sent it to you for your approval [F6]."),
    ("en", "The message will be sent once you approve it [F6]."),
    ("en", "Once it is sent, I tell you [F6]."),
    ("en", "Before it has been delivered you confirm it [F6]."),
    ("en", "The message you sent to Elena is not here."),
    ("en", "You have booked a table."),
    ("en", "I was informed of nothing."),
    ("en", "Sending the message failed, nothing was delivered [F6]."),
    ("en", "Elena wrote last week."),
    ("en", "The rent was paid [F5]."),
    ("en", "The appointment was moved to Tuesday [F4]."),
    ("en", "I've made a list."),
    ("en", "Elena is done."),
    ("en", "Set two alarms!"),
    ("en", 'Elena said "I have sent it" [F1].'),
    ("en", "Shall I get it sent?"),
    ("en", "Message to Elena Weber: pending, to be sent [F6]"),
    ("en", "The message sent to Elena will be short, is my guess."),
    ("en", "It is waiting, then all set [F6]."),
    ("en", "When it is done, you see it [F6]."),
    ("de", "Verschickt ist sie noch nicht [F6]."),
    ("de", "Sie wird gesendet, sobald du zustimmst [F6]."),
    ("de", "Die Nachricht, die du gesendet hast, fehlt."),
    ("fr", "Il fait partie du club."),
    ("fr", "Vous avez envoyé un message."),
    ("fr", "Le message sera envoyé."),
    ("it", "Vanno inviate le etichette [F6]."),
    ("it", "Il messaggio non è partito [F6]."),
    ("es", "Saldrá cuando des el visto bueno [F6]."),
    ("es", "El mensaje creó confusión."),
]


@pytest.mark.parametrize(("locale", "text"), FALSE)
def test_a_report_of_what_only_waits_is_false(locale: str, text: str) -> None:
    assert is_false(text, world(WAITING), locale)


@pytest.mark.parametrize(("locale", "text"), TRUE)
def test_what_waits_may_be_told_as_waiting(locale: str, text: str) -> None:
    assert not is_false(text, world(WAITING), locale)


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        ("en", "Done: Coffee at the harbour [F6]."),
        ("en", "- Coffee at the harbour – completed [F6]"),
        ("en", "[F6] confirms that “Coffee at the harbour” ran."),
        ("en", "all set, Coffee at the harbour went through"),
        ("en", "I've created it: Coffee at the harbour [F6]."),
        ("de", "«Coffee at the harbour» wurde ausgeführt [F6]."),
        ("de", "Ich habe den Termin angelegt."),
        ("fr", "| Action | Résultat |\n|---|---|\n| Coffee at the harbour | fait [F6] |"),
        ("it", "Tutto bene, Coffee at the harbour è andato in porto."),
        ("es", "«Coffee at the harbour» se ha ejecutado [F6]."),
    ],
)
def test_a_receipt_carries_its_act_only_if_it_ended_well(locale: str, text: str) -> None:
    assert not is_false(text, world(MADE), locale)
    assert is_false(text, world(FAILED), locale)


@pytest.mark.parametrize(
    ("text", "false"),
    [
        ("I've sent the message to Elena.", False),
        ("Elena Weber has received the message [F6].", False),
        ("I've sent the message to Marc Müller.", True),
        ("I've e-mailed Marc Müller.", True),
        ("I've booked a table for Elena.", True),
        ("The message to Elena was not sent.", False),
        ("Done!", False),
        ("It has been approved [F6].", False),
    ],
)
def test_a_receipt_carries_one_sort_of_act_for_one_target(text: str, false: bool) -> None:
    assert is_false(text, world(SENT)) is false


def test_the_change_that_is_nearest_decides() -> None:
    evidence = world({**SENT, "title": "Message to Marc Müller"}, WAITING)
    assert is_false("I also messaged Elena Weber.", evidence)
    assert not is_false("I also messaged Marc Müller.", evidence)


def test_what_a_record_shows_may_be_told_though_a_change_is_named() -> None:
    evidence = world({"title": "Pay the rent", "state": "pending"})
    assert not is_false("Pay the rent was paid.", evidence)


@pytest.mark.parametrize(
    ("text", "message", "false"),
    [
        ("He has read it and replied.", "Did Elena answer?", True),
        ("He replied at noon.", "any news", True),
        ("Marc Müller has confirmed.", "and Marc?", False),
        ("Elena Weber has accepted.", "She accepted, note that", False),
        ("Elena Weber has accepted.", "Has she accepted?", True),
        ("Let me know when she has accepted.", "and?", False),
    ],
)
def test_what_others_did_needs_a_record_that_says_so(text: str, message: str, false: bool) -> None:
    assert is_false(text, world(SENT), message=message) is false


def test_nobody_is_spoken_of_and_nothing_was_changed() -> None:
    assert not is_false("He has accepted it.", Evidence())


@pytest.mark.parametrize(
    ("text", "message", "false"),
    [
        ("Done!", "Book a table for two", True),
        ("Done!", "Hello", False),
        ("Sent.", "Hello", False),
        ("I've changed the tone.", "Rewrite this", False),
        ("I've created a reminder.", "Hello", True),
        ("I've deleted all of them.", "Delete all contacts", True),
        ("J'ai acheté des pommes au marché.", "Corrige : « j'ai acheter des pommes au marché »", False),
        ("I've sent it.", "Tell Elena", True),
    ],
)
def test_without_any_facts_only_what_was_asked_for_is_judged(text: str, message: str, false: bool) -> None:
    assert is_false(text, Evidence(), message=message) is false


def test_records_without_changes_carry_no_act() -> None:
    evidence = world()
    evidence.add(lookup_fact("list", "", covers="person", matched=2, searched=2, as_of=NOW, key="l"))
    assert is_false("Sent.", evidence)
    assert is_false("I let Karl know.", evidence)
    assert not is_false("I did not let Karl know.", evidence)
    assert not is_false("I've handled it.", evidence)


def voices(text: str) -> list[Voice]:
    return [act.voice for act in told_acts(text, tokens(text))]


def test_the_voice_of_an_act_is_that_of_its_helping_verb() -> None:
    assert voices("I quickly sent it.") == [Voice.FIRST]
    assert voices("Marc has sent it.") == [Voice.THIRD]
    assert voices("Die Mail ist gesendet.") == [Voice.STATE]
    assert voices("Wie gewünscht, gesendet.") == [Voice.BARE]
    assert voices("Ich habe, wie gewünscht, alles gesendet.") == [Voice.FIRST]
    assert voices("La lettera inviata.") == [Voice.BARE]
    assert voices("Marc creó una lista.") == [Voice.THIRD]
    assert voices("It could be sent.") == []
    assert voices("If Marc ever sent it.") == []


def test_a_long_clause_is_cut() -> None:
    assert len(voices("sent " * 500)) == 500


@pytest.mark.parametrize(
    ("locale", "text"), [("fr", "Les invités sont prêts."), ("it", "Lo stato registrato è «attivo».")]
)
def test_a_participle_that_is_a_noun_or_belongs_to_one_tells_no_act(
    locale: str, text: str, judge: Callable[..., Report]
) -> None:
    assert not judge(text, locale=locale).violations
