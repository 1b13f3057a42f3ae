"""Which rules hold for every possible record, such as ``age < 16 -> marital = "single"``?

Rules are public facts in a small language of their own: columns, numbers, texts, arithmetic and
comparisons, read from a syntax tree that is never run as code.  Rows that were released with a
differential promise are changed as little as makes them true: post-processing, row by row.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import polars as pl

from covey.errors import SchemaError

if TYPE_CHECKING:
    from collections.abc import Collection

    from covey.table.attribute import Attribute

LONGEST_RULE = 200
"""A rule is a sentence, not a program."""

ARROW, CONDITION = "->", re.compile(r"(.+?)\s+if\s+(.+)", re.DOTALL)
ASSIGNED = re.compile(r"\s*([^\W\d]\w*)\s*=(?!=)(.+)", re.DOTALL)
QUOTED = re.compile(r"`([^`]+)`")
STANDS_FOR = "column_{}_"

ARITHMETIC: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.And: operator.and_,
    ast.Or: operator.or_,
}
RELATIONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


class OtherColumnError(SchemaError):
    """A rule speaks of a column that is not there."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule, understood.

    Parameters
    ----------
    text : str
        As it was written.
    columns : frozenset of str
        Those that it speaks of.
    assigned : str
        The column whose value it sets; empty for a comparison of two columns.
    broken : Expr
        Which rows break it.
    mended : dict
        What the columns of such a row become.
    """

    text: str
    columns: frozenset[str]
    assigned: str
    conditional: bool
    broken: pl.Expr = field(repr=False, compare=False)
    mended: dict[str, pl.Expr] = field(repr=False, compare=False)

    @property
    def derives(self) -> str:
        """Return the column that the rule computes for every record, if it does."""
        return "" if self.conditional else self.assigned


def parse_rule(text: str, attributes: Sequence[Attribute]) -> Rule:
    """Understand a rule about these columns, or say what is wrong with it."""
    quoted: dict[str, str] = {}

    def keep(match: re.Match[str]) -> str:
        word = STANDS_FOR.format(len(quoted))
        quoted[word] = match[1]
        return word

    plain = QUOTED.sub(keep, text)
    reader = _Reader(text, attributes, quoted)
    condition, conclusion = "", plain
    if ARROW in plain:
        condition, conclusion = plain.split(ARROW, 1)
    elif (match := CONDITION.fullmatch(plain.strip())) is not None:
        conclusion, condition = match.groups()
    when = reader.expression(condition) if condition.strip() else None
    if (match := ASSIGNED.fullmatch(conclusion)) is not None:
        name = reader.column(match[1])
        value = reader.expression(match[2])
        broken, mended = pl.col(name).ne_missing(value), {name: value}
    else:
        name, broken, mended = "", *reader.relation(conclusion)
    if when is not None:
        broken = when & broken
    return Rule(
        text, frozenset(reader.seen), name, when is not None, broken.fill_null(value=False), mended
    )


class _Reader:
    """Turns the syntax tree of an expression into one of polars."""

    def __init__(self, text: str, attributes: Sequence[Attribute], quoted: dict[str, str]) -> None:
        self.text, self.quoted = text, quoted
        self.known = {attribute.name: attribute for attribute in attributes}
        self.seen: dict[str, None] = {}

    def wrong(self, why: str) -> SchemaError:
        return SchemaError(
            f"the rule {self.text!r} {why}, so nothing was published. Write rules such as "
            f'`start <= end`, `age < 16 -> marital = "single"` or `bmi = weight / height ** 2`; '
            f"names with blanks stand between backquotes."
        )

    def column(self, word: str) -> str:
        name = self.quoted.get(word, word)
        if name not in self.known:
            raise OtherColumnError(str(self.wrong(f"speaks of {name!r}, which is no column")))
        self.seen[name] = None
        return name

    def expression(self, text: str) -> pl.Expr:
        return self.read(self.tree(text))

    def tree(self, text: str) -> ast.expr:
        try:
            body = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            raise self.wrong("cannot be read") from None
        if sum(1 for _ in ast.walk(body)) > LONGEST_RULE:
            raise self.wrong("is too long")
        return body

    def read(self, node: ast.expr) -> pl.Expr:
        match node:
            case ast.Constant(value=bool() | int() | float() | str() as value):
                return pl.lit(value)
            case ast.Name(id=word):
                return pl.col(self.column(word))
            case ast.UnaryOp(op=ast.USub() | ast.Not() as op, operand=part):
                return -self.read(part) if isinstance(op, ast.USub) else ~self.read(part)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in ARITHMETIC:
                return self.join(op, [left, right])
            case ast.BoolOp(op=op, values=parts):
                return self.join(op, parts)
            case ast.Compare(left=left, ops=ops, comparators=others) if all(
                type(op) in ARITHMETIC for op in ops
            ):
                parts = [left, *others]
                pairs = zip(ops, parts, others, strict=False)
                whole = [self.join(op, [first, second]) for op, first, second in pairs]
                return pl.all_horizontal(whole) if len(whole) > 1 else whole[0]
        raise self.wrong(f"holds {ast.unparse(node)!r}, which has no meaning here")

    def join(self, op: ast.AST, parts: Sequence[ast.expr]) -> pl.Expr:
        first, *others = (self.read(part) for part in parts)
        for other in others:
            first = ARITHMETIC[type(op)](first, other)
        return first

    def relation(self, text: str) -> tuple[pl.Expr, dict[str, pl.Expr]]:
        """Read a comparison, one side of which is a column that can be moved to the other."""
        node = self.tree(text)
        if not isinstance(node, ast.Compare) or len(node.ops) != 1:
            raise self.wrong("compares no two things")
        sides = [node.left, node.comparators[0]]
        left, right = (self.read(side) for side in sides)
        names = [self.column(side.id) if isinstance(side, ast.Name) else "" for side in sides]
        if not isinstance(node.ops[0], RELATIONS) or not any(names):
            raise self.wrong("has no column beside <, <=, > or >= that could be moved")
        broken = ~ARITHMETIC[type(node.ops[0])](left, right)
        strict = isinstance(node.ops[0], ast.Lt | ast.Gt)
        numbers = all(not name or self.known[name].kind is None for name in names)
        if all(names) and numbers and not strict:
            # Two columns meet in the middle, which changes both least.
            return broken, dict.fromkeys(names, (left + right) / 2)
        moved, other = (names[0], right) if names[0] else (names[1], left)
        if strict:
            below = isinstance(node.ops[0], ast.Lt) == bool(names[0])
            step = self.step(moved)
            other = other - step if below else other + step
        return broken, {moved: other}

    def step(self, name: str) -> float:
        """Return the smallest distance between two values of a number."""
        attribute = self.known[name]
        step = 1.0 if attribute.integer else attribute.step
        if not isinstance(step, int | float) or attribute.kind is not None:
            raise self.wrong(
                f"says that {name!r} is strictly less or more, and it has no step in numbers"
            )
        return float(step)


def parse_known(texts: Sequence[str], attributes: Sequence[Attribute]) -> tuple[Rule, ...]:
    """Understand the rules that speak of these columns alone."""
    found = []
    for text in texts:
        try:
            found.append(parse_rule(text, attributes))
        except OtherColumnError:
            continue
    return tuple(found)


def usable_rules(rules: Sequence[Rule], names: Collection[str]) -> list[Rule]:
    """Return the rules whose columns are all there, but for one that a rule computes."""
    return [rule for rule in rules if rule.columns - {rule.derives} <= set(names)]
