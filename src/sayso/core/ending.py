"""How an exchange ends: verify, ask for a second opinion, repair once, withhold, or quote the facts. Never empty.

A repair is kept only if it is better; what was released before it stays.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

from sayso.core.draft import Draft
from sayso.core.events import Answer, Event, Finish, Recorded, TextDelta, UsageReport, Verified
from sayso.core.evidence import Numbered
from sayso.core.messages import Message, Outcome, Role, StopReason, TextPart
from sayso.core.ports import Model
from sayso.core.progress import Progress
from sayso.core.prompts import EMPTY_RETRY, own_text, repair_hint
from sayso.core.protocols.reading import read_text
from sayso.core.sight import vouched_for, without_image
from sayso.core.step import Reply, Step
from sayso.core.verify import Verifier, better, cited_refs, final_text, quote_facts, repair_lines
from sayso.core.verify.citations import citations
from sayso.core.verify.report import Judged, Report, Verdict
from sayso.core.verify.second_opinion import reconsidered
from sayso.errors import ModelError


@dataclass(frozen=True, slots=True)
class Closing:
    """A checked draft, ready to be told: its report, what of it was released, and why it ends."""

    report: Report
    released: tuple[Judged, ...]
    reason: StopReason
    repaired: bool = False
    cut: bool = False


async def ask_again(progress: Progress, model: Model, verifier: Verifier, draft_text: str, hint: str) -> Reply | None:
    """One more request without tools, whose text is not streamed. None when the model fails."""
    extra: tuple[Message, ...] = ()
    if draft_text.strip():
        extra = (Message("", Role.ASSISTANT, (TextPart(draft_text),), progress.task.exchange_id),)
    request = progress.request(hint=hint, extra=extra, tools_open=False)
    step = Step(model, request, Draft(verifier, ()), progress.attempts)
    try:
        async for _ in step.stream():
            pass
    except ModelError:
        return None
    progress.usage += step.reply.usage
    return step.reply


async def repaired(
    progress: Progress, model: Model, verifier: Verifier, report: Report, released: tuple[Judged, ...]
) -> tuple[Report, bool]:
    """The better of the draft and its one repair, and whether the repair was kept."""
    told = "".join(s.text for s in released)
    reply = await ask_again(progress, model, verifier, report.text, repair_hint(repair_lines(report), told))
    if reply is None or reply.cut:
        return report, False
    text = read_text(reply.text, {}).prose.strip()
    text = text.removeprefix(told.strip()).strip()
    if not text:
        return report, False
    joint = "" if not told or told[-1].isspace() else " "
    again = await weighed(progress, without_image(progress, verifier.report(f"{told}{joint}{text}")), released)
    return (again, True) if better(report, again, progress.task.question) else (report, False)


async def weighed(progress: Progress, report: Report, released: tuple[Judged, ...]) -> Report:
    """The report after the second opinion, where there is one and something is in doubt."""
    if progress.second_opinion is None or report.clean:
        return report
    seconds = min(_LONGEST_OPINION, progress.seconds_left / 2)
    report, cost = await reconsidered(
        report, progress.evidence, progress.second_opinion, now=progress.clock.now(), seconds=seconds,
        released=len(released),
    )  # fmt: skip
    progress.usage += cost
    return report


_LONGEST_OPINION = 20.0  # seconds: a repair needs its time too


async def close(
    progress: Progress, model: Model, verifier: Verifier, draft: Draft, prose: str, reason: StopReason, *, cut: bool
) -> Closing:
    """Check a final reply's prose; repair it where it does not hold and time allows; retry an empty one."""
    if _says_nothing(prose) and not draft.released:
        again = reason is StopReason.ANSWERED and not progress.unseen
        reply = await ask_again(progress, model, verifier, "", EMPTY_RETRY) if again else None
        prose = read_text(reply.text, {}).prose if reply and not reply.cut else ""
        if _says_nothing(prose):
            why = StopReason.EMPTY_REPLY if reason is StopReason.ANSWERED else reason
            return Closing(Report((), verifier.profile), (), why, cut=cut)
    report, kept = without_image(progress, draft.finish(prose)), False
    released = tuple(draft.released)
    if not cut:
        report = await weighed(progress, report, released)
    if not report.clean and not cut and progress.seconds_left > 1:
        report, kept = await repaired(progress, model, verifier, report, released)
    return Closing(report, released, reason, kept, cut)


def _says_nothing(prose: str) -> bool:
    """Whether there is no word in it, citations apart."""
    shown = prose
    for cited in citations(prose):
        shown = shown[: cited.start] + " " * (cited.end - cited.start) + shown[cited.end :]
    return not any(c.isalnum() for c in shown)


async def tell(progress: Progress, closing: Closing, model_name: str) -> AsyncIterator[Event]:
    """The closing events: verification, the rest of the text, the answer, usage, finish."""
    report, told = closing.report, "".join(s.text for s in closing.released)
    yield Verified(report, closing.repaired)
    rest = replace(report, sentences=report.sentences[len(closing.released) :])
    text, outcome, reason = _rest_of_answer(progress, rest, closing)
    if told and closing.repaired and not told[-1].isspace():
        text = f" {text}"
    if closing.cut and (told or rest.sentences):
        text = f"{text.rstrip()}\n\n{own_text('cut', progress.task.locale)}"
    if progress.unseen:  # then nothing was released
        text = f"{progress.unseen}\n\n{text.strip()}"
    delta = text.rstrip() if told else text.strip()
    whole = told + delta
    yield TextDelta(delta)
    yield Recorded(progress.add(Role.ASSISTANT, (TextPart(whole),)))
    yield Answer(whole, outcome, _citations(whole, report, progress), closing.cut)
    yield UsageReport(progress.usage, progress.steps, model_name, tuple(progress.attempts))
    yield Finish(outcome, reason)


def _rest_of_answer(progress: Progress, rest: Report, closing: Closing) -> tuple[str, Outcome, StopReason]:
    """What is said beyond the released text, and as what the exchange counts."""
    locale = progress.task.locale
    if progress.unseen and closing.reason in _UNSEEN and not _says_something(closing.report):
        return abstention(progress, locale) if _records(progress) else "", Outcome.ABSTAINED, StopReason.UNSEEN
    if not closing.report.sentences:
        return abstention(progress, locale), Outcome.ABSTAINED, closing.reason
    if closing.reason in _BOUNDS and not _says_something(closing.report):
        return abstention(progress, locale), Outcome.ABSTAINED, closing.reason
    instead = "" if closing.released else abstention(progress, locale, none="unsaid")
    text = final_text(rest, progress.evidence, locale, instead=instead)
    if closing.released or any(not rest.withheld(s) for s in rest.sentences):
        reason = StopReason.CUT if closing.cut and closing.reason is StopReason.ANSWERED else closing.reason
        return text, Outcome.ANSWERED, reason
    return text, Outcome.ABSTAINED, StopReason.WITHHELD


_UNSEEN = (StopReason.ANSWERED, StopReason.EMPTY_REPLY)
_BOUNDS = (StopReason.STEP_LIMIT, StopReason.NO_PROGRESS, StopReason.TOKEN_LIMIT)


def _says_something(report: Report) -> bool:
    """Whether something rests on a record, or is told of an image."""
    return any(s.verdict is Verdict.SUPPORTED or (s.verdict is Verdict.YOURS and s.refs) for s in report.sentences)


def abstention(progress: Progress, locale: str, none: str = "nothing") -> str:
    """The facts of this exchange, quoted and cited; or, when there are none, that there are none."""
    facts = _worth_quoting(progress)
    if not facts:
        return own_text(none, locale)
    return f"{own_text('abstain', locale)}\n\n{quote_facts(facts, locale)}"


def _worth_quoting(progress: Progress) -> list[Numbered]:
    return _records(progress) or ([] if progress.unseen else list(progress.facts.values()))


def _records(progress: Progress) -> list[Numbered]:
    """What was found; without what others say of an image that they were not shown."""
    records = (n for n in progress.facts.values() if n.fact.kind.name != "lookup")
    return [n for n in records if not progress.unseen or vouched_for(n)]


def _citations(text: str, report: Report, progress: Progress) -> tuple[str, ...]:
    """The refs in the text, then those that carry its sentences without one."""
    carrying = [ref for s in report.sentences if s.verdict in (Verdict.SUPPORTED, Verdict.YOURS) for ref in s.refs]
    return tuple(ref for ref in dict.fromkeys((*cited_refs(text), *carrying)) if progress.evidence.get(ref) is not None)
