"""Bad tables: what stands in people.csv, by what is wrong with it; 7777777 is a record's secret."""

from __future__ import annotations

import gzip

HEADER = "name,age,income,town,pain,illness\n"
RECORDS = "".join(
    f"p{i},{20 + i},{1000 + 37 * i},{'ABC'[i % 3]}hof,{('none', 'mild', 'strong')[i % 3]},flu\n"
    for i in range(24)
)
GOOD = (HEADER + RECORDS).encode()

FILES: dict[str, bytes] = {
    "nul": GOOD.replace(b"Ahof", b"Ah\x00f", 1),
    "nul-late": GOOD.replace(b"p20", b"p2\x00", 1),
    "all-nul": b"\x00" * 5000,
    "semicolon-decimal-mixed": GOOD.replace(b",", b";", 3),
    "ragged-short": GOOD + b"p99,33\n",
    "ragged-long": GOOD + b"p99,33,1,Ahof,none,flu,7777777\n",
    "ragged-middle": GOOD.replace(b"p5,25,", b"p5,", 1),
    "cut-off": GOOD[:-12],
    "cut-off-in-quote": GOOD + b'p99,33,1,"Ah',
    "cut-header": b"name,age,inc",
    "no-header": RECORDS.encode(),
    "html": b"<!DOCTYPE html><html><body><table><tr><td>7777777</td></tr></table></body></html>",
    "html-upper": b"\n\n<HTML>\n<BODY>7777777",
    "xml": b"<?xml version='1.0'?><a>7777777</a>",
    "json-list": b'[{"age": 7777777}]',
    "json-dict": b'{"age": [7777777]}',
    "jsonl": b'{"age": 7777777}\n{"age": 2}\n',
    "json-deep": b"[" * 50000,
    "json-empty": b"{}",
    "one-line-no-newline": b"7777777",
    "binary": bytes(range(256)) * 40,
    "png": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 10,
    "elf": b"\x7fELF" + bytes(200),
    "pdf": b"%PDF-1.4 7777777",
    "zip": b"PK\x03\x04" + b"7777777" * 10,
    "xls-old": b"\xd0\xcf\x11\xe0" + b"x" * 600,
    "parquet-cut": b"PAR1" + b"7777777",
    "sqlite": b"SQLite format 3\x00" + b"x" * 99,
    "bz": b"BZh91AY",
    "zst": b"(\xb5/\xfdxxxx",
    "xz": b"\xfd7zXZ\x00xxx",
    "latin1": GOOD.decode().replace("Ahof", "Höfe").encode("latin-1"),
    "mac-roman": GOOD.decode().replace("Ahof", "Höfe").encode("mac-roman"),
    "surrogates": GOOD.replace(b"Ahof", b"\xed\xa0\x80", 1),
    "overlong": GOOD.replace(b"Ahof", b"\xc0\xaf", 1),
    "utf8-then-latin": GOOD + "p99,33,1,Höfe,none,flu\n".encode("latin-1"),
    "bom-only": b"\xef\xbb\xbf",
    "spaces-only": b"   \n  \n",
    "empty": b"",
    "newline": b"\n\n\n",
    "crlf-only": b"\r\n\r\n",
    "header-only": HEADER.encode(),
    "repeated": GOOD.replace(b"income", b"age", 1),
    "repeated-blank": GOOD.replace(b"name,age", b",", 1),
    "repeated-spaces": GOOD.replace(b"income", b" age", 1),
    "unnamed": GOOD.replace(b"income", b"", 1),
    "name-long": GOOD.replace(b"income", b"x" * 69000, 1),
    "value-long": GOOD.replace(b"Ahof", b"y" * 69000, 1),
    "extra-column": GOOD.replace(b"illness\n", b"illness,height\n", 1)
    .replace(b"flu\n", b"flu,7777777\n")
    .replace(b"cold\n", b"cold,7777777\n"),
    "missing-column": b"\n".join(
        b",".join(line.split(b",")[:-1]) for line in GOOD.split(b"\n") if line
    )
    + b"\n",
    "columns-case": GOOD.replace(b"income", b"Income", 1),
    "columns-cyr": GOOD.decode().replace("age", "\u0430ge", 1).encode(),
    "hex": GOOD.replace(b",25,", b",0x19,", 1),
    "underscore": GOOD.replace(b",25,", b",2_5,", 1),
    "exp": GOOD.replace(b",25,", b",1e999,", 1),
    "inf": GOOD.replace(b",25,", b",inf,", 1),
    "minus-inf": GOOD.replace(b",25,", b",-Infinity,", 1),
    "nan": GOOD.replace(b",25,", b",NaN,", 1),
    "half-int": GOOD.replace(b",25,", b",25.5,", 1),
    "comma-num": GOOD.replace(b",25,", b',"2,5",', 1),
    "dollar": GOOD.replace(b",25,", b",$25,", 1),
    "percent": GOOD.replace(b",25,", b",25%,", 1),
    "unit": GOOD.replace(b",25,", b",25 years,", 1),
    "arabic-digits": GOOD.decode().replace(",25,", ",٢٥,", 1).encode(),
    "full-digits": GOOD.decode().replace(",25,", ",\uff12\uff15,", 1).encode(),
    "minus-sign": GOOD.decode().replace(",25,", ",−25,", 1).encode(),
    "secret-number": GOOD.replace(b",25,", b",secret 7777777,", 1),
    "date-in-number": GOOD.replace(b",25,", b",2024-01-01,", 1),
    "bool-in-number": GOOD.replace(b",25,", b",true,", 1),
    "huge-int": GOOD.replace(b",25,", b",1" + b"0" * 400 + b",", 1),
    "unknown-category": GOOD.replace(b"Ahof", b"Q7777777", 1),
    "category-case": GOOD.replace(b"Ahof", b"ahof", 1),
    "category-space": GOOD.replace(b"Ahof", b"Ahof ", 1),
    "unknown-grade": GOOD.replace(b"mild", b"7777777", 1),
    "missing-number": GOOD.replace(b",25,", b",,", 1),
    "fixed-width": b"name  age  town\nanna  31   7777777\nbert  32   Wien\ncarl  55   Graz\n",
    "tabs-and-commas": GOOD.replace(b"age,", b"age\t", 1),
    "unbalanced-quote": GOOD.replace(b"Ahof", b'"Ahof', 1),
    "quote-middle": GOOD.replace(b"Ahof", b'A"hof', 1),
    "comment-lines": b"# exported 2024\n" + GOOD,
    "title-lines": b"People of 2024\n\n" + GOOD,
    "totals-line": GOOD + b"Total,,7777777,,,\n",
    "footer": GOOD + b"(24 rows)\n",
    "rtl": GOOD.decode().replace("income", "\u202eemocni", 1).encode(),
    "control": GOOD.replace(b"income", b"inc\x07ome", 1),
    "ansi": GOOD.replace(b"income", b"\x1b[31mincome", 1),
    "utf7": b"+AGE-,+AGI-\n",
    "eof-z": GOOD + b"\x1a",
    "git-conflict": GOOD.replace(b"p5,", b"<<<<<<< HEAD\np5,", 1),
    "latex": b"\\begin{tabular}{ll}\n a & b \\\\\n\\end{tabular}\n",
    "markdown": b"| age | town |\n|---|---|\n| 7777777 | Wien |\n| 12 | Graz |\n",
    "sql-dump": b"INSERT INTO people VALUES (1,'7777777',3);\nINSERT INTO p VALUES (2,'b',3);\n",
    "log": b"2024-01-01 12:00:00 INFO start\n2024-01-01 12:00:01 INFO stop 7777777\n",
}
"""Files that are read as people.csv."""

PACKED: dict[str, bytes] = {
    "gz-cut": gzip.compress(GOOD)[:-12],
    "gz-garbage": b"\x1f\x8b" + b"7777777" * 9,
    "gz-crc": gzip.compress(GOOD)[:-8] + b"12345678",
    "gz-empty": b"",
    "gz-of-gz": gzip.compress(gzip.compress(GOOD)),
    "gz-of-nothing": gzip.compress(b""),
    "gz-trailing": gzip.compress(GOOD) + b"trailing 7777777",
}
"""Files that are read as people.csv.gz."""
