"""Rules that are driven by what a host declares of its kinds of record: the lexicon. No domain is known here."""
