from hashlib import sha256

from sayso.evaluation.heldout import Part, held_out, in_part

IDS = [f"S{n:03}" for n in range(1, 61)]


def test_a_third_is_held_out_by_the_lowest_digests_whatever_the_order():
    apart = held_out(reversed(IDS))
    assert apart == held_out(IDS)
    assert len(apart) == 20
    highest = max(sha256(i.encode()).hexdigest() for i in apart)
    assert all(sha256(i.encode()).hexdigest() > highest for i in IDS if i not in apart)


def test_the_parts_are_the_whole_and_share_nothing():
    tuning, apart = in_part(IDS, Part.TUNING), in_part(IDS, Part.HELD_OUT)
    assert tuning | apart == in_part(IDS, Part.ALL) == frozenset(IDS)
    assert not tuning & apart
