"""DevBench: what recall promises to find, in the order that it shows."""

from __future__ import annotations

import json
from pathlib import Path

from bench.retrieval import devbench, locomo, quality, table
from remember.text.embedding import load_model


def test_with_the_model_every_answer_is_among_the_first_five() -> None:
    """frac@5 = 1.0 and MRR of at least .90."""
    found = quality([devbench()], load_model())
    assert found.questions == 15
    assert found.frac_at_5 == 1.0
    assert found.mrr >= 0.90


def test_by_words_alone_nearly_every_answer_is() -> None:
    """frac@5 of at least .95, better than the textbook's MRR of .772."""
    found = quality([devbench()], None)
    assert found.frac_at_5 >= 0.95
    assert found.mrr > 0.772


def test_locomo_is_read_by_turns_and_by_sessions(tmp_path: Path) -> None:
    """A made-up conversation in its form: evidence names turns, sometimes two in one text, sometimes none there is."""
    talk = {
        "speaker_a": "Ana",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ana", "dia_id": "D1:1", "text": "I adopted a grey cat"},
            {"speaker": "Ben", "dia_id": "D1:2", "text": "Look at this", "blip_caption": "a red bicycle"},
        ],
        "session_2": [{"speaker": "Ben", "dia_id": "D2:1", "text": "The marathon was hard"}],
    }
    asked = [
        {"question": "What colour is the cat?", "evidence": ["D1:1"]},
        {"question": "Which bicycle, which marathon?", "evidence": ["D1:2; D2:1"]},
        {"question": "Nobody knows", "evidence": ["D9:9"]},
        {"question": "Nobody says", "evidence": []},
    ]
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps([{"conversation": talk, "qa": asked}]))
    (turns,) = locomo(path)
    (sessions,) = locomo(path, sessions=True)
    assert [note.content for note in turns.notes] == [
        "Ana: I adopted a grey cat",
        "Ben: Look at this [a red bicycle]",
        "Ben: The marathon was hard",
    ]
    assert [sorted(one.answers) for one in turns.asked] == [["D1:1"], ["D1:2", "D2:1"]]
    assert [sorted(one.answers) for one in sessions.asked] == [["1"], ["1", "2"]]
    assert quality([turns], None).frac_at_5 == quality([sessions], None).frac_at_10 == 1.0
    assert [(row["set"], row["by"]) for row in table(path)] == [
        (name, by)
        for name in ("DevBench", "LoCoMo, turns", "LoCoMo, sessions")
        for by in ("words and meaning", "words")
    ]
