"""tables: cross tables with exact noise, in agreement with each other, and no rows."""

from covey.core import GuaranteeKind, PrivacyUnit
from covey.systems.base import SoundSystem
from covey.systems.sound.tables.ask import ask, unit_of
from covey.systems.sound.tables.build import build
from covey.systems.sound.tables.measure import measure
from covey.systems.sound.tables.settings import TableSettings

TABLES = SoundSystem(
    name="tables",
    summary="Cross tables with intervals, in agreement with each other; no rows.",
    paper="covey",
    kind=GuaranteeKind.PURE_DP,
    unit=PrivacyUnit.REPLACE_RECORD,
    releases="cells",
    takes=TableSettings,
    ask=ask,
    measure=measure,
    build=build,
    unit_of=unit_of,
)

__all__ = ["TABLES"]
