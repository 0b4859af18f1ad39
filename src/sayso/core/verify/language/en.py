# ruff: noqa: E501 (a language's words are easier to compare on one line)
"""English turns of phrase."""

from __future__ import annotations

from sayso.core.verify.language.phrases import Phrases

PHRASES = Phrases(
    gap=r"(?:is|are|isn't|aren't|was)?\s?(?:not|n't|never|no|none|nothing)\b[^.;]{0,40}\b(?:record(?:ed)?|stored|known|noted|listed|on file|on record|given|available|set|mentioned|saved|specified|documented)|unrecorded|unknown|no (?:\w+ ){1,4}(?:is|are|was|recorded|noted|on)\b|(?:don't|do not|doesn't|does not|couldn't|could not) (?:know|have|say|show|list|mention|see|find|name|appear)|isn't|not recorded",
    negation=r"not|no|neither|nor|never|none|nobody|nothing|without|hasn't|haven't|isn't|aren't|wasn't|didn't|doesn't|don't|won't|yet to",
    denying="neither nor not no never none nobody nothing without hasn't haven't isn't aren't wasn't didn't doesn't don't won't couldn't yet unrecorded unknown",
    no=r"nothing|no(?! (?:es|son|está|están|se|ha|han|te|le|lo|la|me|fue|era)\b)",
    nobody=r"no one|nobody|no (?:person|contact|record|people|contacts|records|entry|match)",
    called=r"called|named|by the name|with the name",
    no_such=r"found (?:nothing|no one|nobody|no)|(?:there(?:'s|’s| is| are| was)|i (?:have|found|find|see)|you have)\sno|(?:could not|couldn't|couldn’t|did not|didn't|didn’t|cannot|can't|can’t) find(?:\s(?:an?|any))?",
    records=r"contacts?|persons?|people|records?|entry|entries|match",
    about=r"for|of|on|about|called|named",
    among=r"(?:in|among|under)\s(?:your|my|the|our)",
    is_not=r"(?:is|are) not|isn't|isn’t",
    advice_first=r"better|worth|how about|what about|why not|make sure|an? (?:\w+ ){1,3}(?:means|refers to|involves|consists of)|tip|maybe|perhaps|possible wording|wording|suggestion|shall|would you|do you|let me|let's|feel free|want|consider(?! it done)|try|you could|you can|you may|you might|i'd|i would|i can|i could(?! not|n['’]t)|i'll|i will|happy to|tell me|keep|good luck|if you",
    advice=r"i would|i['’]d|(?:would|might|could) be (?:nice|good|great|wise|worth|best|better|ideal|lovely|handy|sensible)|(?:would|might|could) make an? |you could|you might|you should|i can|i could(?! not|n['’]t)|i'll|i suggest|would you like|if you (?:want|like)|let me know",
    drafting=r"draft|write|rewrite|translate|summari[sz]e|haiku|poem|reply|wording|compose|rephrase|line for",
    all=r"all|both|each|every",
    left=r"left|remaining|remains?|to go|outstanding|missing",
    greeting=r"hi|hello|dear|hey",
    attributed=r"according to|says?|said|reports?|reported|claims?|told|writes|mentions?|as per|per",
    respectively=r"respectively|each other",
    pronoun=r"he|she|they|him|her|his|hers|their|them|it|its",
    goes_on="",
    works=r"works? (?:at|for)|working (?:at|for)|employed (?:at|by)|is with|she's with|he's with|contact at|(?:holds|has) a chair at|represents",
    born=r"was born|is born",
    free=r"(?:calendar|schedule|day)\b[^.;]{0,20}\bis (?:free|clear|empty)|nothing (?:on|planned|scheduled)",
    of=r"of",
    yours=r"your|the|my|our|these|those",
    stop="a an the of to for in on at by with and or is are was were be been has have had it its this that these those you your i my me we our he she they him her his their them not no as from but also so if than then there here about into over up out do does did will would can could may",
    generic="person contact contacts friend colleague member woman man good great best right one only first same match fit choice owner part",
    filler="nothing record recorded list listed stored saved scheduled planned currently right now moment left any all at coming up",
    joining="of and am an in the for free off",
    titles="dr prof sir mr mrs ms",
)
