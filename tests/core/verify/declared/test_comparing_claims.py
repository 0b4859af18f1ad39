"""What a sentence claims of a record's texts and lists is computed: times, ages, durations, counts, amounts, fields."""

from __future__ import annotations

import pytest

from core.verify.declared.reading_cases import ADA, BAND, FILM, TOWN, told_of

HOLDS, WRONG, UNSUPPORTED = "holds", "wrong", "unsupported"


@pytest.mark.parametrize(
    ("sentence", "verdict"),
    [
        ("Ada Brill was born in the spring of 1950.", HOLDS), ("Ada Brill was born in the fall of 1950.", WRONG),
        ("Ada Brill has a spring birthday.", HOLDS), ("Ada Brill has a winter birthday.", WRONG),
        ("Ada Brill died in the autumn.", HOLDS), ("Ada Brill was born in 1950.", HOLDS), ("Ada Brill was born in 1951.", WRONG),
        ("Ada Brill was born on April 12, 1950.", HOLDS), ("Ada Brill was born on April 13, 1950.", WRONG),
        ("Ada Brill was born in April.", HOLDS), ("Ada Brill was born in May.", WRONG), ("Ada Brill was born on 12 April.", HOLDS),
        ("Ada Brill was born in the 1950s.", HOLDS), ("Ada Brill was born in the early 1950s.", HOLDS),
        ("Ada Brill was born in the late 1950s.", WRONG), ("Ada Brill was born in the 60s.", WRONG),
        ("Ada Brill was born in the 20th century.", HOLDS), ("Ada Brill was born in the nineteenth century.", WRONG),
        ("Ada Brill was born in the XXI century.", WRONG), ("Ada Brill was born in the 30th century.", UNSUPPORTED),
        ("Ada Brill was born in the 1900s.", HOLDS), ("Ada Brill was born in the first half of the 20th century.", WRONG),
        ("Ada Brill was born after the Second World War.", HOLDS), ("Ada Brill was born before the Second World War.", WRONG),
        ("Ada Brill was born in the Long Boom.", HOLDS), ("Ada Brill was born in the Long Night.", UNSUPPORTED),
        ("Ada Brill was born before 1950.", WRONG), ("Ada Brill died before 2018.", HOLDS),
        ("Ada Brill has been active since 1969.", HOLDS), ("Ada Brill has been active since 1971.", WRONG),
        ("Ada Brill was active until 2010.", HOLDS), ("Ada Brill was active until 2012.", WRONG),
        ("Ada Brill was active in the 1970s.", HOLDS), ("Ada Brill was active in the 1950s.", WRONG),
        ("Ada Brill started her career in the 1960s.", HOLDS), ("Ada Brill retired in 2010.", HOLDS),
        ("Ada Brill was a painter in 1990.", HOLDS),
    ],
)  # fmt: skip
def test_a_time_is_that_of_the_field_that_is_told_of(sentence: str, verdict: str) -> None:
    assert told_of(ADA, sentence) == verdict


@pytest.mark.parametrize(
    ("sentence", "verdict"),
    [
        ("Ada Brill died at the age of 67.", HOLDS), ("Ada Brill died at the age of 70.", WRONG), ("Ada Brill lived to be over 60.", HOLDS),
        ("Ada Brill lived to be over 80.", WRONG), ("Ada Brill passed away before she was 70 years old.", HOLDS),
        ("Ada Brill was 67 years old when she died.", HOLDS), ("Ada Brill married in her twenties.", HOLDS),
        ("Ada Brill was married in her late twenties.", HOLDS), ("Ada Brill was married in her early twenties.", WRONG),
        ("Ada Brill started her career in her teens.", HOLDS), ("Ada Brill started her career as a child.", WRONG),
        ("Ada Brill started her career in her 30s.", WRONG), ("Ada Brill was active before she was 20.", HOLDS),
        ("Ada Brill was active by 20.", UNSUPPORTED), ("Ada Brill is 67 years old.", HOLDS), ("Ada Brill is a 5 year old painter.", WRONG),
    ],
)  # fmt: skip
def test_an_age_is_counted_from_birth(sentence: str, verdict: str) -> None:
    assert told_of(ADA, sentence) == verdict


def test_an_age_without_a_date_of_birth_is_unsupported() -> None:
    assert told_of(BAND, "Old Mill started when they were 20.", name="Old Mill") == UNSUPPORTED


def test_an_age_now_is_that_of_the_day_of_the_records() -> None:
    born = {"Born": "(1963-08-03) August 3, 1963 (age 55)", "Occupation": "Poet"}
    assert told_of(born, "Ada Brill is 55 years old.") == HOLDS
    assert told_of(born, "Ada Brill is 61 years old.") == WRONG
    assert told_of(born, "Ada Brill is in her fifties.", lexicon={}) == HOLDS


@pytest.mark.parametrize(
    ("fields", "sentence", "verdict"),
    [
        (BAND, "Old Mill has been active for over 5 years.", HOLDS), (BAND, "Old Mill has been active for over 20 years.", WRONG),
        (BAND, "Old Mill has been active for about a decade.", HOLDS), (BAND, "Old Mill has been active for 10 years.", HOLDS),
        (ADA, "Ada Brill was active for over 35 years.", HOLDS), (ADA, "Ada Brill was active for over 42 years.", WRONG),
        (ADA, "Ada Brill was married for over 20 years.", HOLDS), (ADA, "Ada Brill died over a year ago.", HOLDS),
        (ADA, "Ada Brill died 20 years ago.", WRONG), (ADA, "Ada Brill was born over half a century ago.", HOLDS),
        (TOWN, "Ada Brill was founded over 200 years ago.", HOLDS), (FILM, "Ada Brill premiered in Venice 3 months before France.", HOLDS),
        (FILM, "Ada Brill premiered 5 days before it was released in France.", UNSUPPORTED),
        (FILM, "Ada Brill premiered less than 15 weeks before France.", HOLDS), (ADA, "Ada Brill married 14 years after her first marriage.", UNSUPPORTED),
        (ADA, "Ada Brill was married for the third time 14 years later.", UNSUPPORTED),
        (FILM, "Ada Brill was made over 3 months.", HOLDS), (TOWN, "Ada Brill has a fair over 15 days.", HOLDS),
    ],
)  # fmt: skip
def test_a_duration_is_counted_between_moments(fields: dict[str, object], sentence: str, verdict: str) -> None:
    assert told_of(fields, sentence) == verdict  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fields", "sentence", "verdict"),
    [
        (ADA, "Ada Brill has three occupations.", HOLDS), (ADA, "Ada Brill has two occupations.", WRONG), (ADA, "Ada Brill has multiple occupations.", HOLDS),
        (ADA, "Ada Brill has a single occupation.", WRONG), (ADA, "Ada Brill has 4 children.", HOLDS), (ADA, "Ada Brill has 5 children.", WRONG),
        (ADA, "Ada Brill has at least 2 children.", HOLDS), (ADA, "Ada Brill has 3 or more children.", HOLDS), (ADA, "Ada Brill has up to 3 children.", WRONG),
        (ADA, "Ada Brill has fewer than 3 children.", WRONG), (ADA, "Ada Brill has about 4 children.", HOLDS), (ADA, "Ada Brill has two sisters.", HOLDS),
        (ADA, "Ada Brill has one brother.", HOLDS), (ADA, "Ada Brill has three brothers.", WRONG), (ADA, "Ada Brill was married twice.", HOLDS),
        (ADA, "Ada Brill was married once.", WRONG), (ADA, "Ada Brill was married two times.", HOLDS), (ADA, "Ada Brill was married more than once.", HOLDS),
        (ADA, "Ada Brill was married at least 3 times.", WRONG), (ADA, "Ada Brill sang many times.", UNSUPPORTED),
        (BAND, "Old Mill recorded under two labels.", UNSUPPORTED), (BAND, "Old Mill has under two labels.", HOLDS), (BAND, "Old Mill has under five labels.", HOLDS),
        (ADA, "Ada Brill has two awards.", UNSUPPORTED), (TOWN, "Ada Brill has a staff of 1250.", HOLDS), (TOWN, "Ada Brill has a staff of over 2,000.", WRONG),
        (TOWN, "Ada Brill has 1,250 staff.", HOLDS), (TOWN, "Ada Brill has 17 fair days.", UNSUPPORTED),
        (FILM, "Ada Brill has two release weeks.", UNSUPPORTED),
    ],
)  # fmt: skip
def test_a_count_is_that_of_what_a_field_lists(fields: dict[str, object], sentence: str, verdict: str) -> None:
    name = "Old Mill" if fields is BAND else "Ada Brill"
    assert told_of(fields, sentence, name=name) == verdict  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fields", "sentence", "verdict"),
    [
        (FILM, "Ada Brill runs for over 2 hours.", HOLDS), (FILM, "Ada Brill runs for over 3 hours.", WRONG), (FILM, "Ada Brill is 134 minutes long.", HOLDS),
        (FILM, "Ada Brill is over two and a half hours long.", WRONG), (FILM, "Ada Brill made over $100 million.", HOLDS),
        (FILM, "Ada Brill made over 200 million dollars.", WRONG), (FILM, "Ada Brill cost $14 million.", HOLDS),
        (FILM, "Ada Brill made a profit.", HOLDS), (FILM, "Ada Brill was a flop.", WRONG), (FILM, "Ada Brill made 164 million over its budget.", HOLDS),
        (FILM, "Ada Brill made 200 million over its budget.", WRONG), (FILM, "Ada Brill made a profit of $164 million.", HOLDS),
        (FILM, "Ada Brill made over 10 times its budget.", HOLDS), (FILM, "Ada Brill made twice its budget.", WRONG), (FILM, "Ada Brill made twelve times its budget.", UNSUPPORTED),
        (FILM, "Ada Brill made millions of dollars.", HOLDS), (FILM, "Ada Brill weighs 3 tons.", UNSUPPORTED), (ADA, "Ada Brill is over 1.7 m in height.", HOLDS),
        (ADA, "Ada Brill has a height of 6 feet.", WRONG), (TOWN, "Ada Brill has a land of 16 square miles.", HOLDS), (TOWN, "Ada Brill has a land of 50 sq. km.", WRONG),
        (TOWN, "Ada Brill has more land than water.", HOLDS), (TOWN, "Ada Brill has less land than water.", WRONG), (TOWN, "Ada Brill has more land than people.", UNSUPPORTED),
        (TOWN, "Ada Brill has more land than most.", UNSUPPORTED), (BAND, "Ada Brill has more genres than labels.", WRONG), (ADA, "Ada Brill made a profit of 3.", UNSUPPORTED),
        (FILM, "Ada Brill made $5 in profit over breakfast.", WRONG),
    ],
)  # fmt: skip
def test_an_amount_is_that_of_a_field_of_its_kind(fields: dict[str, object], sentence: str, verdict: str) -> None:
    assert told_of(fields, sentence) == verdict  # type: ignore[arg-type]


def test_a_running_time_may_be_written_as_a_clock_shows_it() -> None:
    album = {"Length": "42 : 15", "Genre": "Folk"}
    assert told_of(album, "The Bell has a length of under 50 minutes.", name="The Bell") == HOLDS
    assert told_of(album, "The Bell has a length of over an hour.", name="The Bell") == WRONG


@pytest.mark.parametrize(
    ("fields", "sentence", "verdict"),
    [
        (FILM, "Ada Brill was written and directed by the same person.", HOLDS), (FILM, "Ada Brill was edited and directed by the same person.", WRONG),
        (FILM, "Ada Brill was edited and directed by different people.", HOLDS), (FILM, "Ada Brill was directed by one man.", HOLDS),
        (FILM, "Ada Brill was written by one man.", WRONG), (FILM, "The same people saw Ada Brill.", UNSUPPORTED),
        (ADA, "Ada Brill was born and died in the same city.", WRONG), (ADA, "Ada Brill was born and died in different countries.", HOLDS),
        (ADA, "Ada Brill was born and died on the same continent.", HOLDS), (ADA, "Ada Brill was born and died in the same state.", UNSUPPORTED),
        (ADA, "Ada Brill was born and died in the same year.", WRONG), (ADA, "Ada Brill was born and died in different centuries.", HOLDS),
        (ADA, "Ada Brill was born and died in the same century.", WRONG), (ADA, "Ada Brill was born and died in the same decade.", WRONG),
        (BAND, "Ada Brill has the same number of genres and labels.", HOLDS), (BAND, "Ada Brill has genres and labels of the same year.", UNSUPPORTED),
        (BAND, "Ada Brill has genres and labels in the same country.", UNSUPPORTED), (ADA, "Ada Brill married and has occupations in the same state.", UNSUPPORTED),
        (BAND, "Ada Brill has different genres.", HOLDS),
    ],
)  # fmt: skip
def test_two_fields_are_compared_when_a_sentence_says_same_or_different(
    fields: dict[str, object], sentence: str, verdict: str
) -> None:
    assert told_of(fields, sentence) == verdict  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fields", "sentence", "verdict"),
    [
        (BAND, "Ada Brill is still active.", HOLDS), (BAND, "Ada Brill is no longer active.", WRONG), (ADA, "Ada Brill is no longer active.", HOLDS),
        (ADA, "Ada Brill is still active.", WRONG), (ADA, "Ada Brill is still alive.", WRONG), (BAND, "Ada Brill is still alive.", HOLDS),
        (ADA, "Ada Brill is deceased.", HOLDS), (ADA, "Ada Brill was active continuously.", WRONG), (BAND, "Ada Brill was active without a break.", HOLDS),
        (ADA, "Ada Brill took a break in her career.", HOLDS), (BAND, "Ada Brill was active with a hiatus.", WRONG), (FILM, "Ada Brill runs nonstop.", UNSUPPORTED),
        (FILM, "Ada Brill runs with a hiatus.", UNSUPPORTED), (FILM, "Ada Brill is still directed.", UNSUPPORTED),
    ],
)  # fmt: skip
def test_what_lasts_and_what_has_ended(fields: dict[str, object], sentence: str, verdict: str) -> None:
    assert told_of(fields, sentence) == verdict  # type: ignore[arg-type]


def test_a_field_whose_dates_name_no_year_is_read_by_its_month() -> None:
    games = {"Dates": "7-19 February", "Teams": "12"}
    assert told_of(games, "The Games were in February.", name="The Games") == HOLDS
    assert told_of(games, "The Games were in 1984.", name="The Games") == UNSUPPORTED


@pytest.mark.parametrize(
    ("recorded", "sentence", "verdict"),
    [
        ("March 1850", "The Bell was recorded in the spring.", HOLDS), ("July 1999", "The Bell was recorded in the winter.", WRONG),
        ("1999", "The Bell was recorded in the winter.", UNSUPPORTED), ("20 Mar - 7 Jul 1815", "The Bell was recorded in March 1815.", HOLDS),
        ("20 Mar - 7 Jul", "The Bell was recorded in 1815.", UNSUPPORTED), ("12 May 9999", "The Bell was recorded in 1815.", UNSUPPORTED),
        ("1/2/1990", "The Bell was recorded on 1 May 1815.", UNSUPPORTED),
        ("March 1850", "The Bell was recorded at the turn of the 1st century.", WRONG), ("1815 - 1820", "The Bell was recorded over 5 years.", HOLDS),
        ("May 1 - 5 May 1815", "The Bell was recorded on 1 May 1815.", HOLDS),
    ],
)  # fmt: skip
def test_a_moment_is_known_as_exactly_as_it_is_written(recorded: str, sentence: str, verdict: str) -> None:
    assert told_of({"Recorded": recorded, "Genre": "Folk"}, sentence, name="The Bell") == verdict


def test_what_is_multi_is_more_than_one() -> None:
    assert told_of(BAND, "Ada Brill is a multi-genre band.", lexicon={}) == HOLDS
    assert told_of(FILM, "Ada Brill is a multi-country film.") == WRONG


def test_a_period_is_meant_where_no_field_is_told_of() -> None:
    assert told_of(BAND, "Ada Brill made rock for over 5 years.") == HOLDS
    assert told_of({"Land": "16 acres", "Founded": "1786"}, "Ada Brill was a land for over 50 years.") == HOLDS


def test_a_denial_may_be_said_with_any_more() -> None:
    assert told_of(BAND, "Ada Brill isn't active anymore.") == WRONG
    assert told_of(ADA, "Ada Brill was older than 60.") == HOLDS


def test_plain_numbers_are_compared_too() -> None:
    staff = {"Academic staff": "1157", "Kitchen staff": "1,320", "Motto": "Rise"}
    assert told_of(staff, "The kitchen staff outnumbers the academic staff at Weir.", name="Weir") == HOLDS


def test_several_fields_of_one_name_are_counted_too() -> None:
    seats = {"Seat, 1st District": "Ann Low", "Seat, 2nd District": "Tom Hay"}
    assert told_of(seats, "Weir has two districts.", name="Weir") == HOLDS
    assert told_of(seats, "Weir has five districts.", name="Weir") == WRONG


def test_only_the_number_before_times_counts_times() -> None:
    assert told_of(ADA, "Ada Brill has 4 children and was married two times.") == HOLDS


def test_who_lived_how_long_is_counted_from_birth_to_death() -> None:
    assert told_of(ADA, "Ada Brill lived for over 60 years.") == HOLDS
    assert told_of(ADA, "Ada Brill lived for over 90 years.") == WRONG


def test_nothing_is_compared_where_a_record_has_nothing_of_that_sort() -> None:
    years: dict[str, object] = {"Born": "1950", "Died": "1990"}
    assert told_of(years, "Ada Brill was born and died in the same city.") == UNSUPPORTED  # type: ignore[arg-type]
    assert told_of(ADA, "Ada Brill had different eyes.") == UNSUPPORTED


def test_what_cost_nothing_came_back_no_number_of_times() -> None:
    free = {"Budget": "$0", "Box office": "$5 million"}
    assert told_of(free, "The Bell made twice its budget.", name="The Bell") == UNSUPPORTED
    assert told_of(FILM, "Ada Brill made ... times its budget.") == HOLDS
