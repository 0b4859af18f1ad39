"""`quote`: the model that needs no model. It quotes records; it knows nothing of any one application.

Which tool answers a question follows from the words that tools, kinds and fields declare; the
sentences follow from the types of fields. Pure and deterministic: no I/O, no clock, no randomness.
"""

from sayso.models.quote.model import Quote

__all__ = ["Quote"]
