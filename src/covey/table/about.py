"""What is a table called, who publishes it, and what is it good for: the words of its publisher."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from covey.errors import SchemaError, suggest


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a publisher says about a table.  Reports and cards repeat it; nothing depends on it.

    Parameters
    ----------
    title : str
        What the table is called.
    publisher, contact, licence : str
        Who publishes it, where questions go, and what readers may do with it.
    description : str
        What the records are, and how they were collected.
    use_for, not_for : str
        What the release is meant for, and what it must not be used for.
    """

    title: str = ""
    publisher: str = ""
    contact: str = ""
    licence: str = ""
    description: str = ""
    use_for: str = ""
    not_for: str = ""

    def __post_init__(self) -> None:
        """Refuse what is no text, and take off blanks around texts."""
        for field in fields(self):
            value = getattr(self, field.name)
            if not isinstance(value, str):
                raise SchemaError(
                    f"[about] has a {field.name!r} that is no text, so no report can show it. "
                    f'Write it between quotes: `{field.name} = "…"`.'
                )
            object.__setattr__(self, field.name, value.strip())

    @classmethod
    def of(cls, stated: Any) -> About:
        """Read what a schema's file says under ``[about]``."""
        known = [field.name for field in fields(cls)]
        if not isinstance(stated, Mapping):
            raise SchemaError(
                "`about` is not a table of texts, so nobody knows what it says about the data. "
                'Write [about], and lines such as `title = "…"` below it.'
            )
        for key in stated:
            if key not in known:
                raise SchemaError(
                    f"[about] has a key {key!r} that means nothing here, so no report would show "
                    f"it. {suggest(str(key), known)}"
                )
        return cls(**stated)

    def stated(self) -> dict[str, str]:
        """Return what is said, as plain TOML values."""
        every = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: text for name, text in every.items() if text}
