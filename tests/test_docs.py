"""What the documents say must agree with the code."""

import re
from pathlib import Path

import pytest

import covey
from covey.evaluate.network import NETWORK_METRICS
from covey.evaluate.tabulated import TABLE_METRICS
from covey.report.papers import PAPERS

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("src/**/*.md")])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_to_a_file_leads_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))

    missing = [target for target in targets if not (page.parent / target).exists()]

    assert not missing


def test_every_metric_is_explained_in_the_guide_in_its_own_words() -> None:
    guide = (ROOT / "docs/guide/evaluate.md").read_text(encoding="utf-8")

    for metric in (*covey.METRICS.values(), *NETWORK_METRICS.values(), *TABLE_METRICS.values()):
        assert f"| `{metric.name}` | {metric.better} | {metric.explanation} |" in guide


def test_every_system_has_its_row_in_the_guide_with_its_guarantee() -> None:
    guide = (ROOT / "docs/guide/systems.md").read_text(encoding="utf-8")

    for system in covey.SYSTEMS.values():
        assert re.search(rf"\| `{system.name}` \| `{system.kind}` \|", guide), system.name


def test_every_partitioner_is_named_in_the_guide() -> None:
    guide = (ROOT / "docs/guide/partition.md").read_text(encoding="utf-8")

    for name in covey.PARTITIONERS:
        assert f"`{name}`" in guide


def test_every_guarantee_kind_is_explained_in_the_guide() -> None:
    guide = (ROOT / "docs/guide/guarantees.md").read_text(encoding="utf-8")

    for kind in covey.GuaranteeKind:
        assert f"`{kind}`" in guide


def test_every_proof_page_is_listed() -> None:
    index = (ROOT / "docs/proofs/README.md").read_text(encoding="utf-8")

    for page in (ROOT / "docs/proofs").glob("*.md"):
        if page.name != "README.md":
            assert f"]({page.name})" in index


def test_every_paper_that_a_system_cites_is_known() -> None:
    cited = [system.paper for system in covey.SYSTEMS.values()]
    cited += [partitioner.paper for partitioner in covey.PARTITIONERS.values()]

    for text in cited:
        for paper in re.findall(r"\b0\d\d\b", text):
            assert paper in PAPERS
