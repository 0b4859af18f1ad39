"""What answers say of records in five languages, sentence after sentence: who is there, what is left, what was worked out."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from sayso.core.evidence import Evidence
from sayso.core.facts import FactKind, Field, FieldType, Quantity, Value
from sayso.core.verify import Setting, Verifier
from sayso.workspace.kinds import COMMITMENT, EVENT, GOAL, HABIT, PASSAGE, PERSON

NOW = datetime(2026, 10, 12, 9, 0, tzinfo=UTC)  # a Monday
STAFF = FactKind("nurse", (Field("name"), Field("ward")), subject="name", words=("nurse",), named_by_parts=True)
ROUND = FactKind(
    "round", (Field("title"), Field("begins", FieldType.DATETIME), Field("team", FieldType.LIST, refers_to="nurse")),
    subject="title", words=("round", "visite"),
)  # fmt: skip
FUND = FactKind("fund", (Field("title"), Field("progress")), subject="title", words=("fund",))
Row = tuple[FactKind, dict[str, Value]]


def facts() -> Evidence:
    """F1 to F3 people, F4 to F6 events, F7 a lease, F8 F9 goals, F10 a letter, F11 F12 nurses, F13 a round, F14 F15 commitments, F16 a contract, F17 F18 habits, F19 a rule, F20 F21 funds, F22 a goal."""
    rows: list[Row] = [
        (PERSON, {"name": "Hanne Brodersen", "role": "Tierärztin", "affiliation": "Praxis am Deich"}),
        (PERSON, {"name": "Ottavia Leto", "role": "Notaio", "notes": "vive a Lisbona (1 ora in meno)"}),
        (PERSON, {"name": "Iker Sáenz", "role": "Carpintero", "affiliation": "Maderas Sáenz"}),
        (EVENT, {"title": "Jahresimpfung", "starts": datetime(2026, 10, 14, 10, 0, tzinfo=UTC), "ends": datetime(2026, 10, 14, 11, 15, tzinfo=UTC),
                 "place": "Stall 3", "attendees": ("Hanne Brodersen",)}),
        (EVENT, {"title": "Rogito", "starts": datetime(2026, 10, 14, 16, 0, tzinfo=UTC), "ends": datetime(2026, 10, 14, 17, 30, tzinfo=UTC), "attendees": ("Ottavia Leto",)}),
        (EVENT, {"title": "Cena", "starts": datetime(2026, 10, 16, 20, 0, tzinfo=UTC)}),
        (PASSAGE, {"title": "Bail de l'atelier", "excerpt": "Loyer de 900 € par mois, charges 60 €. Garantie : trois mois de loyer. Préavis de quatre mois avant la fin de l'année."}),
        (FUND, {"title": "Save for the boat", "progress": "EUR 3.200 of EUR 5.000"}),
        (FUND, {"title": "Read 12 plays", "progress": "9 of 12"}),
        (PASSAGE, {"title": "Minutes", "excerpt": "Frau Brodersen übernimmt ab Mai die Kasse. Bus 400 Euro, Eintritt 7 Euro, 30 Kinder."}),
        (STAFF, {"name": "Amadou Keita", "ward": "4B"}),
        (STAFF, {"name": "Nora Lang", "ward": "2A"}),
        (ROUND, {"title": "Visite 4B", "begins": datetime(2026, 10, 13, 7, 30, tzinfo=UTC), "team": ("Nora Lang",)}),
        (COMMITMENT, {"title": "Angebot Zaun EUR 1.800", "due": date(2026, 10, 16), "counterparty": "Hanne Brodersen", "status": "open"}),
        (COMMITMENT, {"title": "Factura del taller 240 EUR", "due": date(2026, 10, 9), "counterparty": "Iker Sáenz", "status": "open"}),
        (PASSAGE, {"title": "Contrato", "excerpt": "Plazo de 6 meses desde el 1 de octubre de 2026, 1.200 EUR. Casa de 1962."}),
        (HABIT, {"name": "Lecture", "streak": Quantity(14, "days"), "frequency": "daily"}),
        (HABIT, {"name": "Flöte", "streak": Quantity(40, "days"), "frequency": "weekly"}),
        (PASSAGE, {"title": "Règlement", "excerpt": "Les chiens ne sont pas admis. Llegaron los azulejos. Die Halle ist geheizt. Only the keys are copied. "
                   "Elle préfère les appels le soir, merci. Materiales incluidos."}),
        (FUND, {"title": "Lire", "progress": "14 of 20"}),
        (FUND, {"title": "Budget", "progress": "900 of 600"}),
        (GOAL, {"title": "Kajak", "progress": Quantity(35, "%"), "target_date": date(2026, 11, 20), "updated": date(2026, 9, 30)}),
    ]  # fmt: skip
    evidence = Evidence()
    evidence.add_all(kind.fact(v, source=kind.name, key=str(i), as_of=NOW) for i, (kind, v) in enumerate(rows))
    return evidence


def last(text: str, lang: str, message: str = "?") -> str:
    """The verdict of the last sentence of an answer."""
    return Verifier(facts(), Setting(NOW, lang, message)).report(text).sentences[-1].verdict.value


ATTENDING = [
    ("de", "Die Jahresimpfung ist am Mittwoch [F4]. Iker Sáenz nimmt auch teil.", "contradicted"),
    ("de", "Die Jahresimpfung ist am Mittwoch [F4]. Hanne Brodersen ist dabei.", "supported"),
    ("de", "Ja, Ottavia kommt zur Jahresimpfung.", "contradicted"),
    ("de", "Ottavia kommt aus Lissabon.", "unsupported"),
    ("fr", "Ottavia et Iker participent au Rogito [F5].", "contradicted"),
    ("fr", "Le Rogito est mercredi [F5]. Ottavia y assiste.", "supported"),
    ("it", "Il Rogito è mercoledì [F5]. Partecipa anche Hanne Brodersen.", "contradicted"),
    ("it", "Iker sarà alla Cena [F6].", "contradicted"),
    ("es", "El Rogito es el miércoles [F5]. Asisten Ottavia e Iker.", "contradicted"),
    ("es", "Va Ottavia al Rogito, asiste seguro [F5].", "supported"),
    ("en", "The Visite 4B is tomorrow [F13]. Amadou Keita attends.", "contradicted"),
    ("en", "The Visite 4B is tomorrow [F13]. Nora will be there.", "supported"),
    ("en", "Iker Sáenz is coming.", "supported"),
]


@pytest.mark.parametrize(("lang", "text", "verdict"), ATTENDING)
def test_who_takes_part_is_among_those_that_are_listed(lang: str, text: str, verdict: str) -> None:
    assert last(text, lang) == verdict


def test_that_somebody_comes_may_be_the_users_own_word() -> None:
    assert last("Iker kommt also auch zur Jahresimpfung.", "de", "Iker kommt auch zur Jahresimpfung") == "supported"
    assert last("Iker kommt also auch zur Jahresimpfung.", "de", "kommt Iker zur Jahresimpfung") == "contradicted"


def test_she_takes_part_is_told_of_whom_was_named() -> None:
    assert last("Iker Sáenz es carpintero. Él asiste al Rogito.", "es") == "contradicted"


WORKED_OUT = [
    ("fr", "Garantie : 2 700 € pour l'atelier [F7].", "?", "supported"),
    ("fr", "Garantie : 2 900 € pour l'atelier [F7].", "?", "contradicted"),
    ("fr", "Garantie : 2 700 pesos pour l'atelier [F7].", "?", "contradicted"),
    ("en", "The Bail de l'atelier asks for notice four months before the end of the year [F7].", "?", "supported"),
    ("en", "The Bail de l'atelier ends at the end of the month [F7].", "?", "contradicted"),
    ("es", "Faltan 1.800 euros y tres obras para Read 12 plays.", "?", "supported"),
    ("de", "Noch offen sind 1.530 Euro und drei Stücke für Read 12 plays.", "?", "contradicted"),
    ("it", "Tra la fine della Jahresimpfung e il Rogito restano 4 ore e 45 minuti [F4].", "?", "supported"),
    ("de", "Die Jahresimpfung und das Rogito liegen fast fünf Stunden auseinander [F4][F5].", "?", "supported"),
    ("de", "Zwischen Jahresimpfung und Rogito liegen 2 Stunden [F4][F5].", "?", "contradicted"),
    ("fr", "Le Rogito dure une heure et demie [F5].", "?", "supported"),
    ("it", "Mercoledì dalle 16 alle 17:30 [F5].", "?", "supported"),
    ("de", "Zurück bist du am Mittwoch um 17:30 Uhr [F5].", "?", "supported"),
    ("es", "El Rogito es a las 16:00 para ti, las 15:00 en Lisbona [F5][F2].", "?", "supported"),
    ("es", "El Rogito es a las 16:00, las 14:00 en Lisbona [F5][F2].", "?", "contradicted"),
    ("de", "Der Eintritt kostet 7 Euro: wenn 11 Kinder kommen, sind es 77 Euro [F10].", "?", "supported"),
    ("de", "Frau Brodersen übernimmt ab Mai die Kasse.", "?", "supported"),
    ("de", "Am Tag danach ist die Cena.", "?", "talk"),
    ("it", "Ottavia e Hanne: lui fa la Tierärztin, lei è Notaio.", "?", "supported"),
]


@pytest.mark.parametrize(("lang", "text", "message", "verdict"), WORKED_OUT)
def test_what_follows_from_records_in_two_steps_is_held(lang: str, text: str, message: str, verdict: str) -> None:
    assert last(text, lang, message) == verdict


def test_a_result_that_was_just_told_is_worked_on_with() -> None:
    message = "4 Pfosten zu je 400"
    assert (
        last(
            "Vier Pfosten zu 400 Euro sind 1.600 Euro. Das sind 200 Euro weniger als im Angebot Zaun [F14].",
            "de",
            message,
        )
        == "supported"
    )
    assert (
        last(
            "Vier Pfosten zu 400 Euro sind 1.600 Euro. Das sind 300 Euro weniger als im Angebot Zaun [F14].",
            "de",
            message,
        )
        == "contradicted"
    )


def test_a_total_of_a_fixed_part_and_one_for_each_follows() -> None:
    assert last("Bus 400 Euro, Eintritt 7 Euro [F10]. Insgesamt kommst du auf 610 Euro.", "de") == "supported"
    assert last("Bus 400 Euro, Eintritt 7 Euro [F10]. Insgesamt kommst du auf 650 Euro.", "de") == "contradicted"


def test_a_label_of_no_record_leads_to_something_else() -> None:
    assert last("Die Cena ist am Freitag [F6]. Zutaten: 500 g Mehl, 3 Eier.", "de") == "supported"


GOING_ON = [
    ("de", "Das Rogito ist am Mittwoch [F5]. Der Termin dauert zwei Stunden.", "contradicted"),
    ("de", "Das Rogito ist am Mittwoch [F5]. Der Termin dauert anderthalb Stunden.", "supported"),
    ("it", "Il Rogito è mercoledì [F5]. Dura due ore.", "contradicted"),
    ("es", "El Rogito es el miércoles [F5]. Dura una hora y media.", "supported"),
    ("fr", "Loyer : 900 € par mois [F7]. La garantie est de 500 €.", "contradicted"),
    ("fr", "Loyer : 900 € par mois [F7]. Le préavis est de cinq mois.", "contradicted"),
    ("fr", "Loyer : 900 € par mois [F7]. L'atelier coûte 70 € de charges.", "contradicted"),
    ("en", "The Cena is on Friday [F6]. The garantie is EUR 500.", "contradicted"),
    ("en", "The Cena is on Friday [F6]. The insurance costs EUR 500.", "supported"),
    ("es", "Iker Sáenz es carpintero [F3]. Las obras son en mayo.", "supported"),
    ("it", "Ottavia Leto è Notaio [F2]. Il mercato apre alle 8.", "supported"),
    ("es", "Iker Sáenz es carpintero [F3]. Trabaja en Praxis am Deich.", "contradicted"),
    ("fr", "Hanne Brodersen est vétérinaire [F1]. Elle travaille chez Maderas Sáenz.", "contradicted"),
    ("es", "Trabaja en Maderas Sáenz.", "supported"),
    ("es", "Hanne Brodersen conoce Maderas Sáenz [F1]. Cumple años en julio.", "contradicted"),
    ("de", "Das Angebot an Hanne Brodersen ist überfällig [F14].", "contradicted"),
    ("de", "Angebot Zaun steht aus [F14]. Auch das Angebot an Hanne ist überfällig.", "contradicted"),
    ("es", "La factura del taller está vencida [F15].", "supported"),
]  # fmt: skip


@pytest.mark.parametrize(("lang", "text", "verdict"), GOING_ON)
def test_a_sentence_goes_on_about_what_its_noun_or_verb_means(lang: str, text: str, verdict: str) -> None:
    assert last(text, lang) == verdict


WITH_TIME = [
    ("es", "El contrato rige hasta finales de marzo de 2027 [F16].", "supported"),
    ("es", "El contrato rige hasta finales de mayo de 2027 [F16].", "contradicted"),
    ("en", "The Contrato pays 1,200 euros, half of it, 600 euros, at the start [F16].", "supported"),
    ("en", "The Contrato pays 1,200 euros, half of it, 700 euros, at the start [F16].", "contradicted"),
    ("de", "Das Haus im Contrato ist über 60 Jahre alt [F16].", "supported"),
    ("de", "Das Haus im Contrato ist über 90 Jahre alt [F16].", "contradicted"),
    ("it", "La casa del Contrato ha 64 anni [F16].", "supported"),
    ("en", "On average your habits are at 27.", "supported"),
    ("fr", "En moyenne, tes habitudes en sont à 31.", "contradicted"),
    ("fr", "Lecture 14 [F17]. La moyenne est de 31.", "contradicted"),
    ("es", "Lecture 14 [F17]. De media son 27.", "supported"),
    ("es", "Las dos son diarias [F17][F18].", "contradicted"),
]  # fmt: skip


@pytest.mark.parametrize(("lang", "text", "verdict"), WITH_TIME)
def test_lengths_shares_and_averages_follow_or_do_not(lang: str, text: str, verdict: str) -> None:
    assert last(text, lang) == verdict


YOURS = [
    ("es", "Y los recoges el domingo.", "recojo las tablas el sábado", "contradicted"),
    ("es", "Y los recoges el sábado.", "recojo las tablas el sábado", "yours"),
    ("de", "Also zwölf Seiten bis 19. November.", "12 Seiten, bis 18. November", "contradicted"),
    ("fr", "La location dure huit ans.", "la location dure 9 ans", "contradicted"),
    ("it", "Il piano in quarzo costa 1.950 euro.", "il piano in quarzo costa 1.970", "contradicted"),
    ("it", "Il piano in quarzo costa circa 1.950 euro.", "il piano in quarzo costa 1.970", "supported"),
    ("de", "Vier Pfosten passen gut.", "6 Pfosten und 3 Bretter", "supported"),
    ("en", "You ride 25 laps then.", "I ride 29 laps", "contradicted"),
    ("en", "You ride 25 minutes then.", "I ride 29 laps", "supported"),
    ("en", "Today is Monday, and you ride on Friday.", "I ride on Friday", "supported"),
    ("en", "You ride this week.", "I ride on 3 May", "supported"),
    ("en", "Not on Friday but on Saturday you ride.", "I ride on Friday", "supported"),
    ("en", "Maybe ride on Saturday.", "I ride on Friday", "supported"),
    ("de", "Am Samstag gibt es Kuchen.", "ich komme am Freitag", "supported"),
]


@pytest.mark.parametrize(("lang", "text", "message", "verdict"), YOURS)
def test_what_the_user_said_comes_back_as_it_was(lang: str, text: str, message: str, verdict: str) -> None:
    found = last(text, lang, message)
    assert (found == "contradicted") is (verdict == "contradicted"), found


DENIED = [
    ("fr", "Règlement : les chiens ne sont pas admis [F19]. Les chiens y sont admis.", "contradicted"),
    ("es", "Règlement [F19]. Los azulejos aún no han llegado.", "contradicted"),
    ("es", "Règlement [F19]. Los azulejos han llegado.", "supported"),
    ("de", "Règlement [F19]. Die Halle ist nicht geheizt.", "contradicted"),
    ("de", "Règlement [F19]. Nur die Halle ist geheizt.", "supported"),
    ("en", "Règlement [F19]. The keys are not copied.", "talk"),
    ("fr", "Règlement [F19]. Elle préfère un appel le matin.", "contradicted"),
    ("es", "Règlement [F19]. Los materiales se pagan aparte.", "contradicted"),
]


@pytest.mark.parametrize(("lang", "text", "verdict"), DENIED)
def test_the_same_words_do_not_say_the_opposite(lang: str, text: str, verdict: str) -> None:
    assert (last(text, lang) == "contradicted") is (verdict == "contradicted")


LEFT = [
    ("fr", "Lire : 14 sur 20 [F20]. Il t'en reste huit.", "contradicted"),
    ("fr", "Lire : 14 sur 20 [F20]. Il t'en reste six.", "supported"),
    ("it", "Lire [F20]. Ne restano dodici.", "contradicted"),
    ("de", "Lire [F20]. Es fehlen noch sechs.", "supported"),
    ("de", "Das Budget steht bei 900 von 600 [F21]. Es fehlen noch 300.", "supported"),
    ("de", "Lire [F20]. Es fehlen noch zwei Termine.", "supported"),
    ("de", "Lire [F20]. Mit deinen zwei fehlen noch vier.", "supported"),
]


@pytest.mark.parametrize(("lang", "text", "verdict"), LEFT)
def test_what_is_left_is_the_whole_without_what_is_done(lang: str, text: str, verdict: str) -> None:
    assert (last(text, lang, "ich habe 2 mehr") == "contradicted") is (verdict == "contradicted")


DUE = [
    ("de", "Kajak: bis 30. September [F22].", "contradicted"),
    ("it", "Il Kajak va finito entro il 20 novembre [F22].", "supported"),
    ("fr", "Le Kajak est à finir avant le 30 septembre [F22].", "contradicted"),
    ("es", "Terminar el Kajak hasta finales de año [F22].", "supported"),
]


@pytest.mark.parametrize(("lang", "text", "verdict"), DUE)
def test_the_day_by_which_something_is_due_is_its_deadline(lang: str, text: str, verdict: str) -> None:
    assert (last(text, lang) == "contradicted") is (verdict == "contradicted")
