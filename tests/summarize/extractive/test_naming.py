"""A longer name that holds a shorter one is that of another thing."""

from __future__ import annotations

import pytest

from bench.suites.pairs import stands
from clew.summarize.extractive.frames import are_two, frame_of

ANOTHER_THING = [
    ("The hotel is booked until 12 May.", "The hotel bar is booked until 14 May now."),
    ("The hotel opens at 9:00.", "The hotel bar opens at 18:00 now."),
    ("The hotel bar opens at 18:00.", "The hotel opens at 9:00 now."),
    ("The db restart is at 11:00.", "The db backup is at 12:00 now."),
    ("The timeout is 30 seconds.", "The gateway timeout is 60 seconds now."),
    ("Use 4 workers for the import.", "Use 8 workers for the import check now."),
    ("The office printer is on floor 2.", "The office is on floor 3 now."),
    ("Deploy on Fridays.", "Deploy reviews are on Mondays now."),
    ("The test database is on port 5433.", "The test database replica is on port 5434 now."),
    ("Lunch is at 12:00.", "The lunch talk is at 13:00 now."),
    ("The conference starts on 3 May.", "The conference dinner starts on 4 May now."),
    ("The garden gate closes at 20:00.", "The garden closes at 18:00 now."),
    ("The train station closes at 22:00.", "The train leaves at 21:00 now."),
    ("The design review is at 10:00.", "The design is due at 12:00 now."),
    ("User alice has 5 GB of storage.", "User bob now has 20 GB of storage."),
]
THE_SAME_THING = [
    ("The deadline is Friday.", "The submission deadline is Monday now."),
    ("The budget is $500.", "The total budget is $700 now."),
    ("The hotel costs 120 euros.", "The hotel price is 140 euros now."),
    ("Launch deadline is 2027-03-19.", "Update: the launch date moved to August 21."),
    ("The test database is on port 5433.", "The database is on port 5434 now."),
    ("The shop opens at 9:00.", "The shop now opens at 10:00."),
    ("The shop closes at 18:00.", "The shop stays open until 20:00 now."),
    ("The demo starts at 9:00.", "The demo got moved to 10:00."),
    ("The api server has 8 GB.", "The api server was upgraded to 16 GB."),
    ("The report is due on 3 May.", "The final report is due on 9 May now."),
    ("The hotel bar opens at 18:00.", "The hotel bar now opens at 17:00."),
    (
        "The password for the guest network is bluefox77.",
        "Guest network password was changed to redfox12.",
    ),
    ("Use Node 18 for the build.", "The build needs Node 20 these days."),
]


@pytest.mark.parametrize(("earlier", "later"), ANOTHER_THING)
def test_a_name_with_a_further_noun_is_that_of_another_thing(earlier: str, later: str) -> None:
    assert are_two(frame_of(later), frame_of(earlier))
    assert stands(earlier, later)


@pytest.mark.parametrize(("earlier", "later"), THE_SAME_THING)
def test_other_words_for_the_value_and_verbs_leave_it_the_same_thing(
    earlier: str, later: str
) -> None:
    assert not are_two(frame_of(later), frame_of(earlier))
    assert not stands(earlier, later)
