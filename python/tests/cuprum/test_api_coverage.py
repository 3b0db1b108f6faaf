"""docs/api-coverage.md says what is there: each name of the list is called, and what it gives is compared."""

import pytest
from api_coverage import PAGE, outcomes, page


@pytest.fixture(scope="module")
def found():
    return outcomes()


def test_every_name_runs_as_it_should_or_has_a_reason(found):
    wrong = [
        f"{name}: {one.why}"
        for names in found.values()
        for name, one in names.items()
        if one.state == "wrong"
    ]
    assert not wrong, "\n".join(wrong)


def test_the_page_says_what_was_found(found):
    assert PAGE.read_text() == page(found), (
        "python python/tests/cuprum/api_coverage.py writes docs/api-coverage.md"
    )


def test_nineteen_of_twenty_names_run(found):
    states = [one.state for names in found.values() for one in names.values()]
    runs = states.count("supported") + states.count("partial")
    assert runs >= 0.95 * len(states), f"{runs} of {len(states)}"
