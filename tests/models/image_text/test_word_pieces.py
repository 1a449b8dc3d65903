from __future__ import annotations

import numpy as np

from pentathlon.models.image_text.word_pieces import WordPieces


def test_the_longest_known_piece_comes_first(pieces: WordPieces) -> None:
    assert pieces.numbers("Unwanted RED mug", 16) == [2, 9, 10, 11, 4, 5, 3]


def test_accents_are_dropped_and_marks_stand_alone(pieces: WordPieces) -> None:
    assert pieces.numbers("café, desk?", 16) == [2, 14, 12, 8, 13, 3]


def test_a_word_of_unknown_pieces_is_unknown_as_a_whole(pieces: WordPieces) -> None:
    assert pieces.numbers("unx mug", 16) == [2, 1, 5, 3]
    assert pieces.numbers("u" * 1000, 16) == [2, 1, 3]


def test_a_long_sentence_is_cut_and_a_short_one_filled(pieces: WordPieces) -> None:
    table = pieces(["the red mug on the desk", "mug"], 5)
    assert np.array_equal(table, [[2, 6, 4, 5, 3], [2, 5, 3, 0, 0]])
