"""`get_current_time`: the time in one zone, by a clock that the test holds. Source: SPEC 3, lab."""

from datetime import UTC, datetime, tzinfo
from typing import Any

import pytest

from functions.lab.current_time import GetCurrentTime
from tests.mcpserver.posts import call_tool

NOON = datetime(2026, 7, 28, 12, 0, 0, 999_999, tzinfo=UTC)


def fixed(zone: tzinfo) -> datetime:
    """Return noon of a summer's day, in *zone*."""
    return NOON.astimezone(zone)


def told(arguments: dict[str, Any]) -> tuple[str, bool]:
    """Return what a model is told, and whether it is an error."""
    result = call_tool(GetCurrentTime(fixed), arguments)
    return result["content"][0]["text"], result["isError"]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({}, "2026-07-28T12:00:00+00:00 UTC Tuesday"),
        ({"timezone": "UTC"}, "2026-07-28T12:00:00+00:00 UTC Tuesday"),
        ({"timezone": ""}, "2026-07-28T12:00:00+00:00 UTC Tuesday"),
        ({"timezone": None}, "2026-07-28T12:00:00+00:00 UTC Tuesday"),
        ({"timezone": "Europe/Paris"}, "2026-07-28T14:00:00+02:00 Europe/Paris Tuesday"),
        ({"timezone": "Asia/Kathmandu"}, "2026-07-28T17:45:00+05:45 Asia/Kathmandu Tuesday"),
        ({"timezone": "Pacific/Kiritimati"}, "2026-07-29T02:00:00+14:00 Pacific/Kiritimati Wednesday"),
    ],
)
def test_the_time_is_iso_8601_with_the_zone_and_the_weekday(arguments: dict[str, Any], text: str) -> None:
    """A model needs the date, the offset and the day of the week in one line."""
    assert told(arguments) == (text, False)


@pytest.mark.parametrize(
    "zone",
    [
        "Mars/Olympus",
        "europe",
        "Europe",
        "../../../etc/passwd",
        "/etc/passwd",
        "Europe/../../etc/passwd",
        "Europe/Paris/..",
        "..",
        ".",
        " ",
        "Europe\\Paris",
        "Europe/Paris\0",
        "\0",
        "é",
        "\ufffd",
        "C:\\x",
        "tzdata.zi",
        "zone.tab",
        "__init__.py",
        "UTC\n",
    ],
)
def test_a_name_that_is_no_zone_is_refused_with_examples_of_zones(zone: str) -> None:
    """Zoneinfo looks names up as files: a path out of its tree must find nothing. STYLE: say what is allowed."""
    text, is_error = told({"timezone": zone})
    assert is_error is True
    assert "Europe/Paris" in text
    assert "passwd" not in text


def test_a_very_long_name_is_refused_by_its_length() -> None:
    """The schema says at most 64."""
    text, is_error = told({"timezone": "x" * 65})
    assert (is_error, "timezone: String should have at most 64 characters" in text) == (True, True)


@pytest.mark.parametrize("zone", ["Europe/Paris", "America/New_York", "Asia/Kolkata"])
def test_the_zones_are_there_on_this_machine_too(zone: str) -> None:
    """Lambda's image has no zone files: the layer brings `tzdata` or the function fails there alone."""
    assert told({"timezone": zone})[1] is False
