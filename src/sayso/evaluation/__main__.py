"""`python -m sayso.evaluation DATA.jsonl OUT.jsonl [LEXICON.toml] [--default] [--tuning | --held-out]`"""

import json
import sys
import tomllib
from pathlib import Path

from sayso.core.verify.declared.lexicon import NO_LEXICON, Lexicon
from sayso.core.verify.report import Profile
from sayso.evaluation.heldout import Part, in_part
from sayso.evaluation.predicting import predicted, report_of
from sayso.evaluation.records import labelled_texts

names = [a for a in sys.argv[1:] if not a.startswith("--")]
profile = Profile.DEFAULT if "--default" in sys.argv else Profile.STRICT
part = Part.HELD_OUT if "--held-out" in sys.argv else Part.TUNING if "--tuning" in sys.argv else Part.ALL
lexicon = Lexicon.from_mapping(tomllib.loads(Path(names[2]).read_text())) if len(names) > 2 else NO_LEXICON
texts = list(labelled_texts(Path(names[0])))
chosen = in_part((t.id for t in texts), part)
with Path(names[1]).open("w") as out:
    for labelled in (t for t in texts if t.id in chosen):
        found = predicted(labelled, report_of(labelled, lexicon=lexicon, profile=profile))
        out.write(json.dumps(found.as_json()) + "\n")
