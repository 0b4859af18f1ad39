"""All rules, in order: each looks at one sentence in its binding and yields what the evidence does not carry.

No rule knows a domain; fields are spoken of by the words that their kinds declare.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sayso.core.verify.declared.lexicon import NO_LEXICON
from sayso.core.verify.declared.reading_lexicon import NO_READING
from sayso.core.verify.declared.reading_rules import check_read_claims, unless_read
from sayso.core.verify.report import Profile
from sayso.core.verify.rules_absences import check_absences, check_missing
from sayso.core.verify.rules_acts import check_actions, check_others_acts
from sayso.core.verify.rules_ages import check_ages
from sayso.core.verify.rules_attending import check_attending
from sayso.core.verify.rules_citations import check_misplaced
from sayso.core.verify.rules_counts import check_counts
from sayso.core.verify.rules_denied import check_granted
from sayso.core.verify.rules_fields import check_called_off, check_late, check_states
from sayso.core.verify.rules_gaps import check_gaps
from sayso.core.verify.rules_labels import check_labels, check_parentheses
from sayso.core.verify.rules_names import check_names
from sayso.core.verify.rules_opposites import check_denied, check_opposites
from sayso.core.verify.rules_pairs import check_everyone, check_pairs
from sayso.core.verify.rules_quotes import check_block_quotes
from sayso.core.verify.rules_ranks import check_comparisons, check_ranks
from sayso.core.verify.rules_relations import check_company, check_directions, check_parents, check_stated_names
from sayso.core.verify.rules_stale import check_stale
from sayso.core.verify.rules_strangers import check_unknown_names
from sayso.core.verify.rules_tables import check_cells
from sayso.core.verify.rules_texts import check_stated_gaps, check_swapped_texts
from sayso.core.verify.rules_totals import check_left, check_totals
from sayso.core.verify.rules_turned import check_doers, check_turned
from sayso.core.verify.rules_values import check_values
from sayso.core.verify.rules_yours import check_yours
from sayso.core.verify.sentence import Checked, Sentence
from sayso.core.verify.setting import Setting

Rule = Callable[[Sentence], Iterator[Checked]]

RULES: tuple[Rule, ...] = (
    check_values, check_pairs, check_names, check_stated_names, check_company, check_directions, check_swapped_texts,
    check_stated_gaps, check_states, check_gaps, check_actions, check_others_acts, check_counts,
    check_absences, check_missing, check_ranks, check_comparisons, check_late, check_totals, check_opposites,
    check_cells, check_everyone, check_parents, check_labels, check_stale,
    check_parentheses, check_block_quotes, check_attending, check_called_off, check_ages, check_granted, check_doers,
    check_turned, check_yours, check_denied, check_left,
)  # fmt: skip
LAST_RULES: tuple[Rule, ...] = (check_misplaced, check_unknown_names)
"""Looked at where nothing else is wrong: the one explanation that is left."""

GROUNDED_RULES: tuple[Rule, ...] = (check_actions,)
"""Besides the grounding, where a document of undeclared records is retold."""
_BINDING = frozenset([
    check_values, check_pairs, check_names, check_stated_names, check_company, check_directions, check_swapped_texts,
    check_ranks, check_comparisons, check_states,
])  # fmt: skip
DECLARED: tuple[Rule, ...] = tuple(r for r in RULES if r not in _BINDING)


def rules_for(setting: Setting, *, declared: bool) -> tuple[Rule, ...]:
    """The rules of an exchange; with a lexicon also those that it drives.

    Where the lexicon declares what all its records state (`declared`), its statements are judged instead of what
    some rules infer of values, names and relations.
    """
    if declared:
        return DECLARED
    undeclared = setting.profile is Profile.STRICT and setting.lexicon == NO_LEXICON
    if undeclared or setting.lexicon.reading is not NO_READING:
        return READING
    return RULES


_READ = _BINDING | {check_stated_gaps, check_counts, check_totals, check_opposites}
PLAIN: tuple[Rule, ...] = (*(rule for rule in RULES if rule not in _READ), check_read_claims)
"""In the default profile, for what `is_read_plainly`."""
READING: tuple[Rule, ...] = (*(unless_read(rule) if rule in _READ else rule for rule in RULES), check_read_claims)
