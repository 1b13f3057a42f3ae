"""private-tree: boxes cut by randomised tests, with noisy counts and means.  Covey's own system."""

from covey.core import GuaranteeKind, PrivacyUnit
from covey.systems.base import SoundSystem
from covey.systems.sound.private_tree.ask import TreeSettings, ask, unit_of
from covey.systems.sound.private_tree.build import build
from covey.systems.sound.private_tree.measure import measure

PRIVATE_TREE = SoundSystem(
    name="private-tree",
    summary="Boxes cut by randomised tests, noisy counts and means in each; all kinds of columns.",
    paper="covey",
    kind=GuaranteeKind.PURE_DP,
    unit=PrivacyUnit.REPLACE_RECORD,
    takes=TreeSettings,
    ask=ask,
    measure=measure,
    build=build,
    unit_of=unit_of,
)

__all__ = ["PRIVATE_TREE"]
