"""How does a message of the library read on the page, where there are steps and no commands?"""

from __future__ import annotations

import re

REMEDIES = (
    (r"or leave it out with --columns", "or leave it out in step 3"),
    (r"with --columns", "in step 3"),
    (r"; ask `covey advise` without --look", ""),
    (r"Give `categories = \[\.\.\.\]` or `taxonomy = \"file\.csv\"`", "List its values in step 2"),
    (r"Give `?bounds = \[[^\]]*\]`?", "Write its smallest and largest value in step 2"),
    (r", or confirm it \(covey schema --confirm\)", ", or confirm it in step 2"),
    (
        r"Say what it is: --encoding cp1252 .*",
        "Say below what wrote it, such as Excel on Windows; then look at a name with an accent.",
    ),
    (r" \((command line: )?--[^)]*\)", ""),
)
"""What is said of options and files, and where the page has it."""

COMMAND = re.compile(r"(?<![\w-])--[a-z]|\bcovey [a-z]+ |`[^`]*[=\[][^`]*`|Attribute\(")
"""What only someone at a terminal or in a schema file could do."""


def plain(message: str) -> str:
    """Return a message in the words of the page; what only a command could do is left out.

    Examples
    --------
    >>> plain("'town' is no number. Leave it out with --columns.")
    "'town' is no number. Leave it out in step 3."
    >>> plain("the line is too long. Say how it is written: --separator.")
    'the line is too long.'
    """
    for pattern, words in REMEDIES:
        message = re.sub(pattern, words, message)
    sentences = re.split(r"(?<=[.!?])\s+(?=[A-Z])", message)
    kept = [_without_command(each) for each in sentences]
    return " ".join(each for each in kept if each) or sentences[0]


def _without_command(sentence: str) -> str:
    """Return a sentence without the parts that name a command; nothing if none is left."""
    if not COMMAND.search(sentence):
        return sentence
    parts = [each for each in re.split(r", or |: | or ", sentence) if not COMMAND.search(each)]
    if not parts or len(parts[0].split()) < FEWEST_WORDS or sentence.index(parts[0]):
        return ""
    said = ", or ".join(parts)
    # "Say how it is written" without the option is no advice.
    return "" if re.match(r"(Say|Give|Use|Set|State) ", said) else said.rstrip(".,:; ") + "."


FEWEST_WORDS = 3
