"""How near many notes are to a text, by the signs of their vectors."""

from __future__ import annotations

import numpy as np

from remember.notebook.columns import Columns
from remember.notebook.row import model_tag
from remember.text.vectors import Embedded, Floats, sign_cosines


def cosines_by_signs(vector: Embedded, notes: Columns) -> Floats:
    """Each note's cosine as its signs reckon it; 0, as for a stranger, where its signs are another model's."""
    models = np.frombuffer(notes.models, np.uint32)
    ours = models == np.frombuffer(model_tag(vector.model), np.uint32)
    found: Floats = sign_cosines(vector.vector, notes.bits) * ours
    return found
