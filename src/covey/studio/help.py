"""What does each step ask, in plain words, and what do the words on it mean?"""

from __future__ import annotations

from collections.abc import Mapping

from htmltools import Tag, tags

from covey.studio.state import Step

QUESTIONS: Mapping[Step, tuple[tuple[str, str], ...]] = {
    Step.DATA: (
        ("Where do my data go?", "Nowhere. This machine serves the page to itself alone."),
        (
            "What is a graph?",
            "A list of pairs: who is in contact with whom. Each line names two nodes.",
        ),
    ),
    Step.DESCRIBE: (
        (
            "Why must I confirm anything?",
            (
                "Noise is as large as the values that are possible. If that were read off the "
                "records, the noise itself would tell about them: a smallest income is "
                "somebody's income."
            ),
        ),
        (
            "What are the roles?",
            (
                "An identifier names people and is never published. A quasi-identifier is what "
                "others may know of somebody: age, place, job. Confidential is what they must "
                "not learn."
            ),
        ),
        (
            "What is a code book?",
            (
                "A list of the columns and of what is possible in each, written before the data "
                "were collected."
            ),
        ),
    ),
    Step.CHOOSE: (
        (
            "What is epsilon?",
            "How much a release may say about one person, at most. Small is private and noisy.",
        ),
        (
            "Where do the expected errors come from?",
            (
                "The plan is run on records that are made up from your description. Your "
                "records are not used, so trying costs nothing."
            ),
        ),
    ),
    Step.PUBLISH: (
        (
            "What is the limit?",
            (
                "All releases about the same people add up. The limit is what they may say "
                "together, and the person responsible for the data sets it."
            ),
        ),
        (
            "What if I stop?",
            "Until the release is there, nothing is spent: what was kept back is given back.",
        ),
    ),
    Step.INSPECT: (
        (
            "Why am I asked before I compare?",
            (
                "A plan that is chosen because it came out well on these records tells about "
                "them. Whoever has seen the comparison cannot promise that she has not done so."
            ),
        ),
    ),
    Step.TAKE_AWAY: (
        (
            "What may be public?",
            "All that is in the release folder. The comparison with the originals is not in it.",
        ),
    ),
}
"""Questions that people ask on a step, with their answers."""


def help_on(step: Step) -> Tag:
    """Return the questions and answers of a step, folded away."""
    return tags.details(
        {"class": "help"},
        tags.summary("Questions"),
        tags.dl(
            *(tags.div(tags.dt(question), tags.dd(answer)) for question, answer in QUESTIONS[step])
        ),
        id=f"help-{step}",
    )
