"""The verifier: what may be said, sentence by sentence. It knows facts, never where they come from."""

from sayso.core.verify.citations import cited_refs
from sayso.core.verify.letters import unbacked_words
from sayso.core.verify.quoting import quote_facts
from sayso.core.verify.repair import better, final_text, repair_lines
from sayso.core.verify.setting import Setting
from sayso.core.verify.verifier import SentenceStream, Verifier

__all__ = [
    "SentenceStream", "Setting", "Verifier", "better", "cited_refs", "final_text", "quote_facts", "repair_lines",
    "unbacked_words",
]  # fmt: skip
