"""`bots.hindsight_kernels`: states are told apart by what is in them. tests/bots/test_hindsight.py plays with the rest."""

from __future__ import annotations

import numpy as np

from lamplighter.bots.hindsight_kernels import hash_into


def test_equal_numbers_have_equal_hashes() -> None:
    found = np.zeros((3, 2), np.int64)
    for i, numbers in enumerate(([1, 2, 3], [1, 2, 3], [1, 2, 4])):
        hash_into(np.array(numbers), np.zeros(2, np.int64), found[i])
    assert found[0].tolist() == found[1].tolist() != found[2].tolist()
