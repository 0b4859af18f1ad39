"""Words as the reading of records compares them: one stem for "directed", "director" and "directing"; plain words.

General English only; no word of a domain stands here.
"""

from __future__ import annotations

from functools import lru_cache

from sayso.core.verify.words import plain, tokens

_ENDINGS = (
    "nesses", "ations", "ation", "ingly", "ments", "ment", "ness", "ians", "ions", "ings", "ists", "ers", "ors", "ies",
    "ian", "ion", "ing", "ist", "ely", "ed", "er", "or", "es", "ly", "al", "ic", "s", "e", "y",
)  # fmt: skip
_SHORTEST = 3


@lru_cache(maxsize=16384)
def root(token: str) -> str:
    """The stem of an English word: endings of inflection and of derivation go, at most eight letters stay."""
    word = plain(token)
    for _ in range(2):
        ending = next((e for e in _ENDINGS if word.endswith(e) and len(word) - len(e) >= _SHORTEST), "")
        word = word.removesuffix(ending)
    doubled = len(word) > _SHORTEST and word[-1] == word[-2]
    return (word[:-1] if doubled else word)[:8]


@lru_cache(maxsize=8192)
def roots(text: str) -> tuple[str, ...]:
    return tuple(root(t.text) for t in tokens(text))


@lru_cache(maxsize=8192)
def spelled_words(text: str) -> tuple[str, ...]:
    """The words of a text, plain: by which names are compared."""
    return tuple(t.word for t in tokens(text))


LIGHT = frozenset([
    "a", "an", "the", "of", "to", "for", "in", "on", "at", "by", "with", "and", "or", "as", "from", "into",
    "onto", "up", "out", "about", "around", "over", "under", "through", "during", "within", "is", "are", "was",
    "were", "be", "been", "being", "am", "has", "have", "had", "having", "do", "does", "did", "done", "will",
    "would", "can", "could", "may", "might", "shall", "should", "he", "she", "it", "they", "him", "her", "them",
    "his", "hers", "its", "their", "theirs", "himself", "herself", "itself", "themselves", "who", "whom", "whose",
    "which", "that", "this", "these", "those", "there", "here", "when", "where", "while", "what", "it's", "i",
    "me", "my", "we", "our", "you", "your", "one", "ones", "s", "t", "also", "both", "just", "already",
    "currently", "ever", "yet", "now", "then", "so", "such", "own", "too", "very", "much", "quite", "really",
    "some", "any", "each", "every", "other", "another", "call", "called", "name", "named", "know", "known",
    "well", "go", "went", "goes", "get", "got", "take", "took", "taken", "make", "made", "makes", "making",
    "give", "gave", "given", "come", "came", "comes", "keep", "kept", "put", "use", "used", "uses", "using",
    "become", "became", "becomes", "include", "includes", "including", "included", "consist", "consists",
    "feature", "features", "different", "distinct", "separate", "total", "part", "parts", "type", "types", "kind",
    "kinds", "form", "forms", "sort", "item", "items", "thing", "things", "way", "ways", "number", "amount",
    "person", "people", "man", "woman", "men", "women", "someone", "individual", "individuals", "male", "female",
    "guy", "human", "year", "years", "month", "months", "day", "days", "decade", "decades", "century",
    "centuries", "time", "times", "age", "ages", "old", "period", "date", "dates", "country", "countries", "city",
    "cities", "state", "states", "nation", "region", "town", "world", "place", "places", "located", "location",
    "area", "based", "situated", "lie", "lies", "found", "along", "alongside", "among", "amongst", "across",
    "throughout", "per", "via", "off", "together", "happened", "happens", "occurred", "occurs", "although",
    "though", "however", "whereas", "able", "else", "besides", "eventually", "initially", "originally",
    "officially", "formally", "titled", "entitled", "listed", "classified", "considered", "described",
    "identified", "regarded", "referred", "belong", "belongs", "belonged", "comprised", "comprises", "various",
    "pair", "couple", "result", "basis", "sense", "fact", "case", "example", "overall", "lot", "bit", "previous",
    "previously", "later", "beginning", "middle", "stuff", "regular",
])  # fmt: skip
"""Words that state nothing by themselves."""
LIGHT_STEMS = frozenset(root(w) for w in LIGHT)

WEIGHING = frozenset([
    "than", "more", "most", "mostly", "less", "least", "fewer", "fewest", "better", "best", "worse", "worst",
    "first", "last", "before", "after", "until", "always", "all", "every", "whole", "entire", "entirely", "only",
    "solely", "mainly", "primarily", "often", "usually", "frequently", "sometimes", "rarely", "seldom", "because",
    "due", "longer", "longest", "shorter", "shortest", "larger", "largest", "bigger", "biggest", "smaller",
    "smallest", "older", "oldest", "younger", "youngest", "higher", "highest", "lower", "lowest", "greater",
    "greatest", "earlier", "earliest", "latest", "simultaneously",
])  # fmt: skip
"""Words that compare, rank, generalise or give a reason: a record bears them out only by a claim that is computed."""

DENIALS = frozenset([
    "not", "no", "never", "none", "neither", "nor", "without", "n't", "nothing", "nobody", "cannot",
])  # fmt: skip


def denies(word: str) -> bool:
    """Whether a folded word denies: "never", "wasn't"."""
    return word in DENIALS or word.endswith("n't")
