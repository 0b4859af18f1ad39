"""The table of families: how each begins a call in text, how sure that sign is, and who reads what follows.

To add a family, add an entry: an opener that prose does not contain, and a reader of `bodies` (most need
`after`, since bodies are recognised by themselves). docs/tool_calls.md describes the table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sayso.core.protocols.bodies import Body, Names, read_bodies
from sayso.core.protocols.codelike import BRACED
from sayso.core.protocols.lines import read_action_line, read_qwen_line, read_tool_line
from sayso.core.protocols.markup import PREFIX
from sayso.core.protocols.tokens import read_k3, read_m3, read_solar

Read = Callable[[str, re.Match[str], Names], Body | None]


class Gate(StrEnum):
    """How sure an opener is, and so where it may stand and what becomes of an unknown name."""

    TOKEN = "token"  # special tokens: a call wherever they stand outside code and quotations
    TAG = "tag"  # a tag that text about models also contains: not within an explaining sentence
    LINE = "line"  # words at the start of a line
    ALONE = "alone"  # no mark at all: only as a paragraph or fence of its own, whose arguments fit


@dataclass(frozen=True, slots=True)
class Family:
    name: str
    models: str
    gate: Gate
    opener: str  # begins with one of `MARKS`; that of a line family stands at its beginning
    read: Read
    stripped: str = ""  # the same when a host has taken special tokens out: begins with a word


def after(text: str, opener: re.Match[str], offer: Names) -> Body | None:
    """Bodies from after the opener."""
    return read_bodies(text, opener.end(), offer)


def here(text: str, opener: re.Match[str], offer: Names) -> Body | None:
    """Bodies from the opener itself, which is part of them."""
    return read_bodies(text, opener.start(), offer)


def _m3(text: str, opener: re.Match[str], offer: Names) -> Body | None:
    return read_m3(text, opener.start())


def _k3(text: str, opener: re.Match[str], offer: Names) -> Body | None:
    return read_k3(text, opener.start())


def _solar(text: str, opener: re.Match[str], offer: Names) -> Body | None:
    return read_solar(text, opener.end())


_B = r"[|｜‖]{1,2}"
_U = r"[_▁ ]?"
_DECORATION = r"[ \t]*(?:(?:[-*•+>]|\d{1,2}[.)])[ \t]+)*[*_`\"'“”]*"
T, G, L = Gate.TOKEN, Gate.TAG, Gate.LINE

FAMILIES = (
    Family("deepseek", "DeepSeek V3, R1, V3.1 and their distills; Step 3", T,
           rf"<{_B}tool{_U}calls?{_U}begin{_B}>", after),
    Family("kimi-k2", "Kimi K2; also without its openers", T, r"<\|tool_calls?_section_begin\|>", after,
           r"functions\.(?=[\w.\-]{1,80}:\d+[ \t]*[{<])"),
    Family("kimi-k3", "Kimi K3", T, r"<\|open\|>(?:tools<\|sep\|>|call\s+tool=)", _k3),
    Family("harmony", "gpt-oss", T,
           r"(?:<\|start\|>assistant[ ]?|<\|channel\|>[ ]?(?:commentary|analysis|final)?[ ]?){1,3}"
           r"\bto=(?:functions\.|tools?\.)?(?=[\w.\-]+[ <])", after,
           r"(?:assistant)?(?:(?:commentary|analysis|final)[ ]?)?\bto=(?:functions|tools?)\."),
    Family("mistral", "Mistral, Devstral, Magistral, Codestral; MiniMax's drift", T,
           r"\[TOOL_CALLS?\](?!\s*(?:tokens?|markers?|is|are)\b)", after),
    Family("lm-studio", "LM Studio's format for any model", T, r"\[TOOL_REQUEST\]", after),
    Family("bracket", "history text that models imitate", T,
           r"\[(?:Calling|Called|Using|Call) (?:tool|function)s?:?[ ]", after),
    Family("llama", "Llama 3.x, 4", T, r"<\|python_(?:tag|start)\|>", after),
    Family("lfm2", "LFM2; Phi-4-mini, Granite 3, Gemma 4", T,
           r"<\|tool_(?:calls?|list)(?:_start)?\|?>:?", after),
    Family("gemma-bare", "Gemma 4 and FunctionGemma without their tokens", T, rf"<call>(?={BRACED})", after,
           rf"call:(?={BRACED})"),
    Family("function-gemma", "FunctionGemma", T, r"<start_function_call>", after),
    Family("phi", "Phi-4-mini, FireFunction", T, r"<\|tool_call\|>(?=\[)", after, r"functools(?=\[)"),
    Family("internlm", "InternLM 2, InternS1", T, r"<\|action_start\|>", after),
    Family("command", "Command R7B, A", T, r"<\|START_ACTION\|>", after),
    Family("apertus", "Apertus", T, r"<\|tools_prefix\|>|<SPECIAL_71>", after),
    Family("gigachat", "GigaChat 3", T,
           r"<\|message_sep\|>\s*function call<\|role_sep\|>|<\|function_call\|>", after,
           r"function call<\|role_sep\|>"),
    Family("inkling", "Inkling", T, r"<\|content_invoke_tool_json\|>", after),
    Family("functionary", "Functionary v2", T,
           r"(?:<\|from\|>assistant\s*)?<\|recipient\|>[ \t]*(?!all\b)(?=[\w.\-]+\s*<\|content\|>)", after),
    Family("plamo", "PLaMo 3", T, r"<\|plamo:begin_tool_requests?:plamo\|>", after),
    Family("functionary-v3", "Functionary v3", T, r">>>(?!all\b)(?=[\w.\-]+\n\s*\{)", after),
    Family("pangu", "openPangu", T, r"\[unused11\]", after),
    Family("solar", "Solar Open 2", T, r"<\|tool_call:start\|>", _solar),
    Family("dsml", "DeepSeek V3.2, V4", T,
           rf"<{_B}[ ]?DSML[ ]?{_B}[ ]?(?:function_calls|tool_calls|calls)>"
           rf"|(?=<{_B}[ ]?DSML[ ]?{_B}[ ]?invoke\b)", after),
    Family("steptml", "Step 3", T, r"(?=<steptml:invoke\b)", here),
    Family("minimax-m3", "MiniMax M3", T, r"\]<\]minimax\[>\[(?=<)", _m3),
    Family("ifm", "K2 Horizon", T, r"<ifm\|tool_calls?>", after),
    Family("nemotron", "Nemotron Nano v2, BFCL", T, r"<TOOLCALLS?>", after),
    Family("longcat", "Longcat, Dots and others with a tag of their own", T, r"<\w+_(?:tool|function)_calls?>", after),
    Family("hermes", "Hermes, Qwen, Granite, GLM, Seed-OSS, MiniMax M2, Hunyuan, Jamba, OLMo, Claude-like", G,
           rf"<{PREFIX}(?:tool_calls?|function_calls?|tool-calls?|tools|tool_code"
           r"|functions|function_calling|multi_tool_use)"
           r"(?::\w+)?(?:\s+(?:id|index|type)=[^<>\n]*)?>", after),
    Family("invoke", "MiniMax M2, Claude-like, MiniCPM5", G,
           rf"<{PREFIX}(?:invoke|function|tool_call|tool_use|tool-use|tool|function_call)"
           r"(?:[\sĠ]*(?:name|tool|function)?[\sĠ]*[=(]|\s*>(?=\s*<(?:tool_name|name|function_name|tool)>)"
           r"|\s*>(?=\s*\{))", here),
    Family("line", "Sayso's own line protocol", L,
           rf"{_DECORATION}(?i:TOOL)[*_`]*[ \t]*[:：][*_`]*", read_tool_line),
    Family("react", "ReAct, LangChain, Command-R classic, smolagents", L,
           rf"{_DECORATION}(?i:Action)[*_`]*[ \t]*[:：][*_`]*", read_action_line),
    Family("qwen-agent", "Qwen-Agent", L, r"[ \t]*✿FUNCTION✿[ \t]*[:：]", read_qwen_line),
)  # fmt: skip


MARKS = "<[\\]>"
"""What all openers but lines and words begin with: a scan passes over everything else."""


def _pattern(families: Sequence[tuple[int, Family]], begin: str = "^") -> str:
    """The openers of these, each in a group of its own, behind a glance at the first character.

    `begin`: what stands before an opener that begins a line.
    """
    marked = "|".join(f"(?P<f{i}>{f.opener})" for i, f in families if f.gate is not Gate.LINE)
    words = "|".join(f"(?P<w{i}>{f.stripped})" for i, f in families if f.stripped)
    lines = "|".join(f"(?P<f{i}>{f.opener})" for i, f in families if f.gate is Gate.LINE)
    return rf"(?=[{MARKS}])(?:{marked})|\b(?=[acft])(?:{words})" + (f"|{begin}(?:{lines})" if lines else "")


OPENERS = re.compile(_pattern(tuple(enumerate(FAMILIES))), re.MULTILINE)
GLUED = _pattern(tuple(enumerate(FAMILIES)), begin="")
"""The same where reasoning has just ended: what follows its mark begins a line of its own."""
MARKED = re.compile(_pattern([(i, f) for i, f in enumerate(FAMILIES) if f.gate is Gate.TOKEN]), re.MULTILINE)


def family_of(opener: re.Match[str]) -> Family:
    return FAMILIES[int((opener.lastgroup or "f0")[1:])]
