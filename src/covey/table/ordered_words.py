"""Do the categories of a column have an order that everybody knows?

Likert scales, frequencies, grades, sizes, weekdays and months in English and German, and ranges
such as ``18-24`` that begin with numbers.
"""

from __future__ import annotations

import re
from collections.abc import Collection

_SCALES = tuple(
    tuple(word.strip() for word in line.split("<"))
    for line in """
    very low < low < rather low < medium < rather high < high < very high
    very low < low < moderate < high < very high
    none < mild < moderate < severe < very severe
    none < low < medium < high
    small < medium < large < extra large
    xxs < xs < s < m < l < xl < xxl
    very bad < bad < fair < good < very good < excellent
    very poor < poor < fair < good < very good < excellent
    never < almost never < rarely < seldom < sometimes < often < usually < very often < always
    never < monthly < weekly < daily
    strongly disagree < disagree < somewhat disagree < neutral < somewhat agree < agree <
    strongly agree
    strongly disagree < disagree < neither agree nor disagree < agree < strongly agree
    very dissatisfied < dissatisfied < neutral < satisfied < very satisfied
    not at all < a little < somewhat < quite a bit < very much
    primary < secondary < tertiary
    primary school < secondary school < high school < bachelor < master < doctorate
    first < second < third < fourth < fifth
    1st < 2nd < 3rd < 4th < 5th
    i < ii < iii < iv < v < vi
    monday < tuesday < wednesday < thursday < friday < saturday < sunday
    mon < tue < wed < thu < fri < sat < sun
    january < february < march < april < may < june < july < august < september < october <
    november < december
    jan < feb < mar < apr < may < jun < jul < aug < sep < oct < nov < dec
    sehr niedrig < niedrig < eher niedrig < mittel < eher hoch < hoch < sehr hoch
    sehr gering < gering < mittel < hoch < sehr hoch
    sehr schlecht < schlecht < eher schlecht < mittel < eher gut < gut < sehr gut
    sehr schlecht < schlecht < mittelmäßig < gut < sehr gut
    keine < leicht < mittel < schwer
    klein < mittel < groß
    nie < fast nie < selten < manchmal < gelegentlich < oft < häufig < sehr oft < immer
    stimme gar nicht zu < stimme nicht zu < stimme eher nicht zu < teils teils < stimme eher zu <
    stimme zu < stimme voll zu
    trifft nicht zu < trifft eher nicht zu < teils teils < trifft eher zu < trifft zu
    sehr unzufrieden < unzufrieden < teils teils < zufrieden < sehr zufrieden
    ohne abschluss < hauptschule < realschule < abitur < hochschule
    montag < dienstag < mittwoch < donnerstag < freitag < samstag < sonntag
    januar < februar < märz < april < mai < juni < juli < august < september < oktober <
    november < dezember
    """.replace("<\n", "<")
    .strip()
    .splitlines()
)
_LEAST = 3
_RANGE = re.compile(
    r"\s*(?P<below><|<=|≤|under|below|unter|bis)?\s*(?P<low>[0-9]+(?:[.,][0-9]+)?)"
    r"(?:\s*(?:-|–|to|bis|\.\.\.?)\s*(?P<high>[0-9]+(?:[.,][0-9]+)?))?"
    r"\s*(?P<above>\+|and more|or more|and over|und mehr|und älter|plus)?\s*"
    r"(?P<unit>[^0-9]*)",
    re.IGNORECASE,
)

_ABOVE = re.compile(r"\s*(>|>=|≥|over|above|über|ab)\s*([0-9.,]+)(.*)", re.IGNORECASE)


def known_order(categories: Collection[str]) -> tuple[str, ...] | None:
    """Return categories from the lowest to the highest, if everybody would order them so."""
    if len(categories) < _LEAST:
        return None
    plain = {_plain(category): category for category in categories}
    if len(plain) < len(categories):
        return None
    for scale in _SCALES:
        if set(plain) <= set(scale):
            return tuple(plain[word] for word in scale if word in plain)
    return _ranges(categories)


def _plain(text: str) -> str:
    return re.sub(r"[\s_-]+", " ", text.strip().casefold())


def _ranges(categories: Collection[str]) -> tuple[str, ...] | None:
    """Order ranges of numbers, with open ones at the ends: <18, 18-24, 25-64, 65+."""
    places: dict[tuple[float, int], str] = {}
    units, spans = set(), 0
    for category in categories:
        above = _ABOVE.fullmatch(category)
        found = _RANGE.fullmatch(category) if above is None else None
        if above is None and found is None:
            return None
        if above is not None:
            low, part, unit = _number(above[2]), 1, above[3]
        elif found is not None:
            low, unit = _number(found["low"]), found["unit"]
            part = -1 if found["below"] else 1 if found["above"] else 0
            spans += bool(found["high"])
        if low is None:
            return None
        units.add(unit.strip().casefold())
        places[low, part] = category
    # One unit may be enough: 1-9 km/h, 10-24, 25-39.
    if not spans or len(units - {""}) > 1 or len(places) < len(categories):
        return None
    return tuple(places[place] for place in sorted(places))


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return None
