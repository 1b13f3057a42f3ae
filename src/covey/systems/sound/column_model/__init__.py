"""column-model: published columns, privately chosen pairs, one model.  Covey's own system."""

from covey.core import GuaranteeKind, PrivacyUnit
from covey.systems.base import SoundSystem
from covey.systems.sound.column_model.ask import ModelSettings, ask, unit_of
from covey.systems.sound.column_model.build import build
from covey.systems.sound.column_model.measure import measure

COLUMN_MODEL = SoundSystem(
    name="column-model",
    summary="Every column, privately chosen pairs of columns and rank correlations; whole tables.",
    paper="covey",
    kind=GuaranteeKind.PURE_DP,
    unit=PrivacyUnit.REPLACE_RECORD,
    takes=ModelSettings,
    ask=ask,
    measure=measure,
    build=build,
    unit_of=unit_of,
)

__all__ = ["COLUMN_MODEL"]
