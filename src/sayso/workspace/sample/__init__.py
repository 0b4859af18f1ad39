"""The sample workspace: a small cooperative studio in Zürich and Basel, wholly made up.

Data and a loader. It knows nothing of the database, and its days move with the day it is loaded on.
"""

from sayso.workspace.sample.loader import sample_records

__all__ = ["sample_records"]
