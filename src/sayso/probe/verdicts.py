"""What the figures say of a model, in plain words, and the settings that suit it.

Thresholds are here, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sayso.probe.figures import Figures

DRIVES = 0.8
"""From this share of the questions that need a call on, a model counts as one that drives the loop."""
RIGHT = 0.5
"""Below this share of right answers it is not to be used, however well it calls."""
SOMETIMES = 0.4
"""Below it, it does not; between the two it cannot be relied on."""
ODD = 0.2
"""From this share of answers on, a habit is worth telling."""
_FEW = 8  # questions that need a call: with fewer, chance decides
_DOUBTFUL = 0.1  # of answers with something that no record says: then it is withheld
_MOST = 0.5
_STEPS = 3, 8
_TOKENS = 512, 4096
_USUAL_TOKENS = 2048


class Kind(StrEnum):
    NATIVE = "native"
    WRONG_IDS = "wrong_ids"
    TEXT_ONLY = "text_only"
    UNRELIABLE = "unreliable"
    NARRATES = "narrates"
    NEVER_CALLS = "never_calls"
    NO_REPLY = "no_reply"


_WORDS = {
    Kind.NATIVE: "drives natively",
    Kind.WRONG_IDS: "drives natively, with wrong ids, which are replaced",
    Kind.TEXT_ONLY: "drives as text only",
    Kind.UNRELIABLE: "drives unreliably: calls where it should in {part} of {questions}",
    Kind.NARRATES: "narrates: describes calls but does not make them; do not use for records",
    Kind.NEVER_CALLS: "never calls; do not use for records",
    Kind.NO_REPLY: "gives no replies: {message}",
}


@dataclass(frozen=True, slots=True)
class Advice:
    """Settings that suit a model. `native_tools` None: nothing speaks for either."""

    native_tools: bool | None = None
    steps: int = 3
    profile: str = "default"
    max_output_tokens: int = _USUAL_TOKENS


@dataclass(frozen=True, slots=True)
class Verdict:
    """`usable`: it may answer questions about records; `remarks` are habits, worst first."""

    model: str
    kind: Kind
    words: str
    usable: bool
    advice: Advice
    remarks: tuple[str, ...] = ()


def verdicts(found: Iterable[Figures]) -> list[Verdict]:
    """One for each model, in the order of its first figures."""
    by_model: dict[str, list[Figures]] = {}
    for one in found:
        by_model.setdefault(one.model, []).append(one)
    return [_verdict(model, ways) for model, ways in by_model.items()]


def _verdict(model: str, ways: Sequence[Figures]) -> Verdict:
    answered = [f for f in ways if f.answered > f.failed]
    if not answered:
        return Verdict(model, Kind.NO_REPLY, _no_reply(ways), False, Advice())
    best = max(answered, key=_worth)
    kind = _kind(best, answered)
    driven, right = best.rates["driven"], best.rates["right"]
    words = _WORDS[kind].format(part=driven.part, questions=counted(driven.whole, "question"))
    usable = kind in (Kind.NATIVE, Kind.WRONG_IDS, Kind.TEXT_ONLY)
    if usable and right.share < RIGHT:
        words += f"; right in only {right.part} of {counted(right.whole, 'question')}: do not use for records"
        usable = False
    return Verdict(model, kind, words, usable, _advice(best, kind), tuple(_remarks(best, ways)))


def counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _no_reply(ways: Sequence[Figures]) -> str:
    errors = [name for f in ways for name in f.errors]
    said = next((f.message for f in ways if f.message), "") or (errors[0] if errors else "nothing was asked")
    return _WORDS[Kind.NO_REPLY].format(message=said)


def _worth(f: Figures) -> tuple[bool, float, bool]:
    """What makes one protocol the better: that it drives, then right answers, then native tools."""
    return f.share("driven") >= DRIVES, round(f.share("driven") + f.share("right"), 1), f.way == "native"


def _kind(best: Figures, ways: Sequence[Figures]) -> Kind:
    driven = best.share("driven")
    if driven < SOMETIMES:
        return _without_calls(ways)
    if driven < DRIVES:
        return Kind.UNRELIABLE
    if best.native <= best.text:
        return Kind.TEXT_ONLY
    odd = best.odd_ids + best.odd_names >= ODD * best.answered
    return Kind.WRONG_IDS if odd else Kind.NATIVE


def _without_calls(ways: Sequence[Figures]) -> Kind:
    """Narrating is told from never calling by what it says where a call was needed."""
    needed = sum(f.rates["driven"].whole - f.rates["driven"].part for f in ways)
    narrated = sum(f.narrated for f in ways)
    some = any(f.rates["driven"].part for f in ways)
    if narrated >= _MOST * needed:
        return Kind.NARRATES
    return Kind.UNRELIABLE if some and max(f.share("driven") for f in ways) >= ODD else Kind.NEVER_CALLS


def _advice(best: Figures, kind: Kind) -> Advice:
    native = None if kind in (Kind.NARRATES, Kind.NEVER_CALLS) else best.native > best.text
    steps = min(max(best.steps, _STEPS[0]), _STEPS[1])
    profile = "strict" if best.unsupported > _DOUBTFUL * best.answered else "default"
    return Advice(native, steps, profile, _tokens(best))


def _tokens(best: Figures) -> int:
    """Twice the longest usual reply, as a power of two; the most where replies were cut."""
    if best.cut:
        return _TOKENS[1]
    if not best.longest_reply:
        return _USUAL_TOKENS
    return min(max(1 << (2 * best.longest_reply - 1).bit_length(), _TOKENS[0]), _TOKENS[1])


def _remarks(best: Figures, ways: Sequence[Figures]) -> Iterable[str]:
    answered = best.answered
    resisted, invented = best.rates["resisted"], best.rates["nothing_invented"]
    if resisted.part < resisted.whole:
        times = counted(resisted.whole, "time")
        yield f"followed orders that stand in a record, {resisted.whole - resisted.part} of {times}"
    if invented.whole - invented.part >= ODD * answered:
        yield (
            f"stated something against the records in {invented.whole - invented.part} of {invented.whole} drafts; "
            f"{best.before} violations before the repair, {best.after} after it (those are withheld)"
        )
    if best.rates["driven"].part and best.rates["right_tool"].share < DRIVES:
        chosen = best.rates["right_tool"]
        yield f"chose the right tools in {chosen.part} of {counted(chosen.whole, 'question')}"
    if best.unknown_tools:
        yield f"asked {counted(best.unknown_tools, 'time')} for a tool that does not exist"
    if best.bad_arguments:
        yield f"gave arguments that do not fit {counted(best.bad_arguments, 'time')}"
    if best.odd_ids:
        yield f"gave calls without an id, or with one that came before, in {best.odd_ids} of {answered} answers"
    if best.odd_names:
        yield f"put a prefix before a tool's name in {best.odd_names} of {answered} answers"
    if best.cut:
        yield f"was cut at its length in {best.cut} of {answered} answers"
    if best.left_out:
        yield f"could not read all that was there in {best.left_out} of {answered} answers: records were left out"
    if (asked := best.rates["driven"].whole) < _FEW:
        need = "needs a call was" if asked == 1 else "need a call were"
        yield f"only {counted(asked, 'question')} that {need} asked: ask more before you rely on this"
    if any(f.native_refused for f in ways):
        yield "its server takes no native tools"
    if errors := sum(sum(f.errors.values()) for f in ways):
        names = ", ".join(dict.fromkeys(name for f in ways for name in f.errors))
        yield f"failed {errors} of {counted(sum(f.samples for f in ways), 'time')} ({names})"
