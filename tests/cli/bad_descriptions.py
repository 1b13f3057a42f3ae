"""Bad descriptions: schemas, plans, ledgers and taxonomies, by what is wrong with them."""

from __future__ import annotations

SCHEMA = """\
[[attribute]]
name = "name"
role = "identifier"
scale = "nominal"

[[attribute]]
name = "age"
role = "quasi-identifier"
scale = "numeric"
bounds = [0, 120]
integer = true

[[attribute]]
name = "income"
role = "quasi-identifier"
scale = "numeric"
bounds = [0, 100000]

[[attribute]]
name = "town"
role = "quasi-identifier"
scale = "nominal"
categories = ["Ahof", "Bhof", "Chof"]

[[attribute]]
name = "pain"
role = "non-confidential"
scale = "ordinal"
categories = ["none", "mild", "strong"]

[[attribute]]
name = "illness"
role = "confidential"
scale = "nominal"
"""
BOUNDS = "bounds = [0, 120]"
TOWNS = 'categories = ["Ahof", "Bhof", "Chof"]'


def _with(old: str, new: str) -> str:
    assert old in SCHEMA
    return SCHEMA.replace(old, new, 1)


SCHEMAS: dict[str, str] = {
    "empty": "",
    "garbage": "7777777 = = =",
    "json": '{"attribute": []}',
    "yaml": "attribute:\n - name: age\n",
    "binary": "\x00\x01",
    "deep": "a = " + "[" * 50000,
    "deep-inline": "a = " + "{a=" * 20000,
    "no-attribute": '[reading]\nencoding = "utf-8"\n',
    "attribute-is-table": '[attribute]\nname = "age"\n',
    "attribute-is-text": 'attribute = "age"',
    "attribute-list-of-texts": 'attribute = ["age"]',
    "attribute-empty": "attribute = []",
    "no-name": _with('name = "age"\n', ""),
    "name-number": _with('name = "age"', "name = 5"),
    "name-empty": _with('name = "age"', 'name = ""'),
    "name-list": _with('name = "age"', 'name = ["age"]'),
    "name-twice": SCHEMA.replace('name = "income"', 'name = "age"'),
    "name-bool": _with('name = "age"', "name = true"),
    "name-long": _with('name = "age"', f'''name = "{"x" * 69000}"'''),
    "key-misspelt": _with("bounds = [0, 120]", "bound = [0, 120]"),
    "key-unknown": _with("bounds = [0, 120]", "colour = 3"),
    "top-unknown": "rule = []\n" + SCHEMA,
    "top-unknown-long": f"{'z' * 60000} = 1\n" + SCHEMA,
    "key-long": _with("integer = true", f"{'z' * 60000} = 1"),
    "role-misspelt": _with('role = "identifier"', 'role = "identifer"'),
    "role-number": _with('role = "identifier"', "role = 3"),
    "role-list": _with('role = "identifier"', 'role = ["identifier"]'),
    "role-long": _with('role = "identifier"', f'''role = "{"i" * 69000}"'''),
    "role-empty": _with('role = "identifier"', 'role = ""'),
    "scale-misspelt": _with('scale = "numeric"', 'scale = "number"'),
    "scale-bool": _with('scale = "numeric"', "scale = true"),
    "bounds-bool": _with(BOUNDS, "bounds = [false, true]"),
    "bounds-text": _with(BOUNDS, 'bounds = ["0", "120"]'),
    "bounds-one": _with(BOUNDS, "bounds = [0]"),
    "bounds-three": _with(BOUNDS, "bounds = [0, 1, 2]"),
    "bounds-number": _with(BOUNDS, "bounds = 120"),
    "bounds-string": _with(BOUNDS, 'bounds = "0-120"'),
    "bounds-nan": _with(BOUNDS, "bounds = [nan, 120]"),
    "bounds-inf": _with(BOUNDS, "bounds = [0, inf]"),
    "bounds-equal": _with(BOUNDS, "bounds = [5, 5]"),
    "bounds-reversed": _with(BOUNDS, "bounds = [120, 0]"),
    "bounds-huge": _with(BOUNDS, f"bounds = [0, 1{'0' * 400}]"),
    "bounds-huge2": _with(BOUNDS, f"bounds = [0, 1{'0' * 5000}]"),
    "bounds-nested": _with(BOUNDS, "bounds = [[0], [120]]"),
    "bounds-dict": _with(BOUNDS, "bounds = {low=0, high=1}"),
    "bounds-empty": _with(BOUNDS, "bounds = []"),
    "bounds-date": _with(BOUNDS, "bounds = [2001-01-01, 2002-01-01]"),
    "bounds-1e999": _with(BOUNDS, "bounds = [0, 1e999999999]"),
    "integer-text": _with("integer = true", 'integer = "yes"'),
    "integer-number": _with("integer = true", "integer = 1"),
    "step-zero": _with("integer = true", "step = 0"),
    "step-neg": _with("integer = true", "step = -1"),
    "step-text": _with("integer = true", 'step = "x"'),
    "step-bool": _with("integer = true", "step = true"),
    "step-nan": _with("integer = true", "step = nan"),
    "step-large": _with("integer = true", "step = 1000"),
    "step-huge": _with("integer = true", f"step = 1{'0' * 400}"),
    "decimals-neg": _with("integer = true", "decimals = -1"),
    "decimals-huge": _with("integer = true", "decimals = 4000000000"),
    "step-1e999": _with("integer = true", "step = 1e999999999"),
    "categories-text": _with(TOWNS, 'categories = "Ahof"'),
    "categories-empty": _with(TOWNS, "categories = []"),
    "categories-number": _with(TOWNS, "categories = 3"),
    "categories-twice": _with(TOWNS, 'categories = ["Ahof", "Ahof"]'),
    "categories-nested": _with(TOWNS, 'categories = [["Ahof"], ["Bdorf"]]'),
    "categories-bool": _with(TOWNS, "categories = [true, false]"),
    "categories-dict": _with(TOWNS, "categories = {a=1}"),
    "categories-numeric": _with("integer = true", 'categories = ["a", "b"]'),
    "ordinal-one": _with('categories = ["none", "mild", "strong"]', 'categories = ["none"]'),
    "ordinal-nothing": _with('categories = ["none", "mild", "strong"]\n', ""),
    "missing-misspelt": _with("integer = true", 'missing = "skip"'),
    "missing-bool": _with("integer = true", "missing = false"),
    "impute-without": _with("integer = true", "impute = 5"),
    "impute-nothing": _with("integer = true", 'missing = "impute"'),
    "impute-outside": _with("integer = true", 'missing = "impute"\nimpute = 500'),
    "impute-text": _with("integer = true", 'missing = "impute"\nimpute = "x"'),
    "impute-huge": _with("integer = true", f"""missing = "impute"\nimpute = 1{"0" * 400}"""),
    "impute-list": _with("integer = true", 'missing = "impute"\nimpute = [1]'),
    "special-text": _with("integer = true", 'special = ["x"]'),
    "special-half": _with("integer = true", "integer = true\nspecial = [0.5]"),
    "special-huge": _with("integer = true", f"special = [1{'0' * 400}]"),
    "special-dict": _with("integer = true", "special = {a=1}"),
    "special-empty": _with("integer = true", "special = []"),
    "special-twice": _with("integer = true", "special = [0, 0]"),
    "codes-dict": _with("integer = true", "missing_codes = {a=1}"),
    "codes-text": _with("integer = true", 'missing_codes = "NA"'),
    "codes-nested": _with("integer = true", 'missing_codes = [["NA"]]'),
    "unknown-number": _with(TOWNS, 'categories = ["Ahof", "Bhof", "Chof"]\nunknown = 3'),
    "unknown-outside": _with(TOWNS, 'categories = ["Ahof", "Bhof", "Chof"]\nunknown = "zzz"'),
    "unknown-on-number": _with("integer = true", 'unknown = "other"'),
    "kind-misspelt": _with("integer = true", 'kind = "dates"'),
    "kind-and-integer": _with("integer = true", 'kind = "date"\ninteger = true'),
    "format-no-kind": _with("integer = true", 'format = "%d"'),
    "zone-no-kind": _with("integer = true", 'zone = "Europe/Berlin"'),
    "zone-wrong": _with(
        "bounds = [0, 120]\ninteger = true", 'kind = "datetime"\nzone = "Mars/Phobos"'
    ),
    "format-wrong": _with(
        "bounds = [0, 120]\ninteger = true",
        'kind = "date"\nformat = "%Q"\nbounds = ["2001-01-01", "2002-01-01"]',
    ),
    "date-bounds-text": _with(
        BOUNDS + "\ninteger = true", 'kind = "date"\nbounds = ["yesterday", "today"]'
    ),
    "date-year-99999": _with(
        BOUNDS + "\ninteger = true", 'kind = "date"\nbounds = ["0001-01-01", "99999-01-01"]'
    ),
    "date-step": _with(
        BOUNDS + "\ninteger = true",
        'kind = "date"\nstep = "second"\nbounds = ["2001-01-01", "2002-01-01"]',
    ),
    "date-bounds-num": _with(BOUNDS + "\ninteger = true", 'kind = "date"\nbounds = [2001, 2002]'),
    "date-on-numbers": _with(
        BOUNDS + "\ninteger = true", 'kind = "date"\nbounds = ["1901-01-01", "2002-01-01"]'
    ),
    "taxonomy-missing": _with(TOWNS, 'taxonomy = "nowhere.csv"'),
    "taxonomy-number": _with(TOWNS, "taxonomy = 5"),
    "taxonomy-folder": _with(TOWNS, 'taxonomy = "."'),
    "taxonomy-dev": _with(TOWNS, 'taxonomy = "/dev/zero"'),
    "taxonomy-on-number": _with("integer = true", 'taxonomy = "t.csv"'),
    "taxonomy-self": _with(TOWNS, 'taxonomy = "people.toml"'),
    "taxonomy-nul": _with(TOWNS, 'taxonomy = "a\\u0000b"'),
    "taxonomy-long": _with(TOWNS, f'''taxonomy = "{"t" * 69000}"'''),
    "rules-text": 'rules = "age > 3"\n' + SCHEMA,
    "rules-number": "rules = [3]\n" + SCHEMA,
    "rules-column": 'rules = ["hight > 3"]\n' + SCHEMA,
    "rules-syntax": 'rules = ["age >> 3"]\n' + SCHEMA,
    "rules-eval": "rules = [\"__import__('os').system('id') > 3\"]\n" + SCHEMA,
    "rules-deep": f"""rules = ["age > {"(" * 5000}3{")" * 5000}"]\n""" + SCHEMA,
    "rules-long": f"""rules = ["age > {"1 + " * 30000}1"]\n""" + SCHEMA,
    "rules-contradict": 'rules = ["age > 100", "age < 50"]\n' + SCHEMA,
    "rules-identifier": 'rules = ["name = 3"]\n' + SCHEMA,
    "rules-power": 'rules = ["age < 9 ** 9 ** 9 ** 9"]\n' + SCHEMA,
    "rules-empty": 'rules = [""]\n' + SCHEMA,
    "reading-unknown": SCHEMA + '\n[reading]\nsep = ";"\n',
    "reading-encoding": SCHEMA + '\n[reading]\nencoding = "utf-9"\n',
    "reading-list": 'reading = ["x"]\n' + SCHEMA,
    "reading-sep-long": SCHEMA + '\n[reading]\nseparator = ";;"\n',
    "reading-sep-num": SCHEMA + "\n[reading]\nseparator = 5\n",
    "reading-decimal": SCHEMA + '\n[reading]\ndecimal = "x"\n',
    "reading-skip": SCHEMA + "\n[reading]\nskip = -1\n",
    "reading-skip-huge": SCHEMA + "\n[reading]\nskip = 99999999999999999999\n",
    "reading-header": SCHEMA + '\n[reading]\nheader = "yes"\n',
    "reading-codec": SCHEMA + '\n[reading]\nencoding = "base64"\n',
    "about-unknown": SCHEMA + '\n[about]\ntitel = "x"\n',
    "about-list": 'about = ["x"]\n' + SCHEMA,
    "about-number": SCHEMA + "\n[about]\ntitle = 5\n",
    "about-use": SCHEMA + "\n[about]\nuse_for = 5\n",
    "drafted-unknown": _with("integer = true", 'drafted = ["bound"]'),
    "drafted-text": _with("integer = true", 'drafted = "bounds"'),
    "drafted-number": _with("integer = true", "drafted = 3"),
    "description-number": _with("integer = true", "description = 5"),
    "unit-list": _with("integer = true", 'unit = ["a"]'),
    "weight-negative": _with(
        'role = "quasi-identifier"\nscale = "numeric"\nbounds = [0, 120]',
        'role = "weight"\nscale = "numeric"\nbounds = [-1, 120]',
    ),
    "weight-nominal": _with(
        'role = "quasi-identifier"\nscale = "nominal"', 'role = "weight"\nscale = "nominal"'
    ),
    "all-identifiers": SCHEMA.replace('"quasi-identifier"', '"identifier"')
    .replace('"confidential"', '"identifier"')
    .replace('"non-confidential"', '"identifier"'),
    "no-qi": SCHEMA.replace('"quasi-identifier"', '"confidential"'),
    "dup-key": _with("integer = true", "integer = true\ninteger = true"),
    "unterminated": SCHEMA + "\n[[attribute",
    "bom": "\ufeff" + SCHEMA + "x",
    "crlf-ok-dup": SCHEMA.replace("\n", "\r\n") + "integer = true\r\n",
}
"""What stands in people.toml."""

_PLAN = 'system = "mdav"\n[parameters]\nk = 3\n'
PLANS: dict[str, str] = {
    "empty": "",
    "garbage": "= =",
    "deep": "a = " + "[" * 50000,
    "system-unknown": 'system = "mdaw"\n',
    "system-number": "system = 3\n",
    "system-list": 'system = ["mdav"]\n',
    "no-system": "[parameters]\nk = 3\n",
    "param-unknown": _PLAN + "kk = 3\n",
    "param-text": 'system = "mdav"\n[parameters]\nk = "x"\n',
    "param-bool": 'system = "mdav"\n[parameters]\nk = true\n',
    "param-huge": 'system = "mdav"\n[parameters]\nk = 1e400\n',
    "param-digits": 'system = "mdav"\n[parameters]\nk = ' + "9" * 4000 + "\n",
    "params-list": 'system = "mdav"\nparameters = [3]\n',
    "top-unknown": "parameter = 3\n" + _PLAN,
    "graph-plan": 'system = "degree-histogram"\n[parameters]\nepsilon = 1\n',
    "graph-plan2": 'system = "mdav-dk"\n[parameters]\nepsilon = 1\nk = 3\n',
    "seed-text": 'random_state = "x"\n' + _PLAN,
    "seed-neg": "random_state = -1\n" + _PLAN,
    "seed-bool": "random_state = true\n" + _PLAN,
    "chosen-text": 'chosen_on_data = "x"\n' + _PLAN,
    "nodes-text": 'nodes = "x"\n' + _PLAN,
    "version": "covey = 7\n" + _PLAN,
    "format": 'format = "x"\n' + _PLAN,
    "eps-neg": 'system = "rank-blocks"\n[parameters]\nepsilon = -1\ncolumns = ["age"]\n',
    "eps-str": 'system = "rank-blocks"\n[parameters]\nepsilon = "1e999999999"\ncolumns = ["age"]\n',
    "cols-num": 'system = "rank-blocks"\n[parameters]\nepsilon = 1\ncolumns = 3\n',
    "cols-twice": 'system = "rank-blocks"\n[parameters]\nepsilon = 1\ncolumns = ["age","age"]\n',
    "system-long": f"""system = "{"m" * 69000}"\n""",
    "kind-list": "kind = []\n" + _PLAN,
}
"""What stands in a plan."""

LEDGERS: dict[str, str] = {
    "empty": "",
    "brace": "{",
    "list": "[]",
    "number": "3",
    "null": "null",
    "text": '"x"',
    "deep": "[" * 50000,
    "deepdict": '{"a":' * 50000,
    "nan": '{"version":2,"limit":NaN,"entries":[]}',
    "limit-huge": '{"version": 2, "limit": "1e999999999", "entries": []}',
    "limit-huge-num": '{"version": 2, "limit": 1e999999999, "entries": []}',
    "limit-digits": '{"version": 2, "limit": ' + "9" * 100000 + ', "entries": []}',
    "limit-neg": '{"version": 2, "limit": "-1", "entries": []}',
    "limit-text": '{"version": 2, "limit": "much", "entries": []}',
    "limit-bool": '{"version": 2, "limit": true, "entries": []}',
    "limit-none": '{"version": 2, "entries": []}',
    "limit-zero-div": '{"version": 2, "limit": "1/0", "entries": []}',
    "limit-list": '{"version": 2, "limit": [1], "entries": []}',
    "entries-none": '{"version": 2, "limit": "3"}',
    "entries-dict": '{"version": 2, "limit": "3", "entries": {}}',
    "entries-num": '{"version": 2, "limit": "3", "entries": 3}',
    "entries-text": '{"version": 2, "limit": "3", "entries": ["x"]}',
    "entries-empty-dict": '{"version": 2, "limit": "3", "entries": [{}]}',
    "version-text": '{"version": "x", "limit": "3", "entries": []}',
    "version-9": '{"version": 9, "limit": "3", "entries": []}',
    "version-none": '{"limit": "3", "entries": []}',
    "version-neg": '{"version": -1, "limit": "3", "entries": []}',
    "unknown": '{"version": 2, "limit": "3", "entries": [], "limt": 5}',
    "unknown-long": '{"version": 2, "limit": "3", "entries": [], "' + "l" * 69000 + '": 5}',
    "toml": "limit = 3",
    "binary": "\x00\x01\x02",
    "html": "<html>",
}
"""What stands in a ledger."""

_DEEP = "child,parent\nr,\n" + "".join(
    f"n{level},{f'n{level - 1}' if level else 'r'}\n" for level in range(9_000)
)
TAXONOMIES: dict[str, str] = {
    "empty": "",
    "header": "child,parent\n",
    "no-header": "Ahof,root\nBhof,root\n",
    "cycle": "child,parent\nr,\na,b\nb,a\n",
    "self": "child,parent\nr,\na,a\n",
    "two-roots": "child,parent\nr,\ns,\nAhof,r\nBhof,s\nChof,s\n",
    "orphan": "child,parent\nAhof,root\n",
    "deep": _DEEP,
    "ragged": "child,parent\nr\nAhof,r,7,8\n",
    "blank": "child,parent\n,\n,\n",
    "not-all": "child,parent\nr,\nAhof,r\n",
    "html": "<html>",
    "binary": "\x00\x01",
    "json": "{}",
    "semicolon": "child;parent\nr;\nAhof;r\nBhof;r\nChof;r\n",
    "long": "child,parent\n" + "x" * 69000 + ",\n",
    "dup": "child,parent\nr,\nAhof,r\nAhof,r\nBhof,r\nChof,r\n",
}
"""What stands in a taxonomy of towns."""
