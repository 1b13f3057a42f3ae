"""Made-up data of the sizes and habits that stewards bring: a household survey, a large table."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

REGIONS = ("Nord", "Süd", "Ost", "West", "Mitte")
SCHOOLS = ("ohne Abschluss", "Hauptschule", "Realschule", "Fachhochschule", "Abitur")
AGREE = (
    "stimme gar nicht zu",
    "stimme eher nicht zu",
    "teils, teils",
    "stimme zu",
    "stimme voll zu",
)
FAMILY = ("ledig", "verheiratet", "geschieden", "verwitwet")


def write_survey(path: Path, n: int = 3000, seed: int = 7) -> Path:
    """Write a German household survey of 61 columns as Excel does in Germany.

    It has semicolons, decimal commas, cp1252, dates of the form 31.12.2024, gaps, codes for "no
    answer", a name, a telephone number, a household number and a column that is always the same.
    """
    rng = np.random.default_rng(seed)
    age = rng.integers(0, 95, n)
    grown = age >= 16
    income = np.where(grown, np.round(rng.lognormal(7.6, 0.5, n), 2), np.nan)
    birth = [f"{1 + i % 28:02d}.{1 + i % 12:02d}.{2024 - int(a)}" for i, a in enumerate(age)]
    columns: dict[str, list[str]] = {
        "lfdnr": [str(i + 1) for i in range(n)],
        "haushalt": [f"H{100000 + i // 2}" for i in range(n)],
        "name": [f"Müller{i}, Jörg" for i in range(n)],
        "telefon": [f"030 {4000000 + 37 * i}" for i in range(n)],
        "geburt": birth,
        "interview": [f"{1 + i % 28:02d}.{1 + i % 11:02d}.2024" for i in range(n)],
        "plz": [f"{1067 + 13 * int(p):05d}" for p in rng.integers(0, 60, n)],
        "region": list(rng.choice(REGIONS, n)),
        "alter": [str(a) for a in age],
        "geschlecht": list(rng.choice(["männlich", "weiblich", "divers"], n, p=[0.49, 0.49, 0.02])),
        "familienstand": [str(rng.choice(FAMILY)) if g else "ledig" for g in grown],
        "schule": [str(rng.choice(SCHOOLS)) if g else "" for g in grown],
        "erwerbstaetig": [str(rng.choice(["ja", "nein"])) if g else "nein" for g in grown],
        "einkommen": [
            f"{v:.2f}".replace(".", ",") if g else "k. A."
            for v, g in zip(income, grown, strict=True)
        ],
        "miete": _money(rng.lognormal(6.4, 0.4, n), rng.random(n) < 0.2),
        "groesse_cm": _whole(rng.normal(172, 9, n), rng.random(n) < 0.03),
        "gewicht_kg": _decimal(rng.normal(74, 13, n), rng.random(n) < 0.05),
        "icd": [
            f"{c}{d:02d}"
            for c, d in zip(rng.choice(list("EIJM"), n), rng.integers(10, 40, n), strict=True)
        ],
        "raucher": list(rng.choice(["ja", "nein"], n, p=[0.24, 0.76])),
        "welle": ["2024"] * n,
        "gewichtung": _decimal(rng.uniform(0.4, 2.5, n), np.zeros(n, bool), places=3),
    }
    for number in range(1, 21):
        columns[f"f{number:02d}_zufrieden"] = list(
            rng.choice(AGREE, n, p=[0.1, 0.2, 0.3, 0.3, 0.1])
        )
    for number in range(1, 13):
        codes = rng.choice([1, 2, 3, 4, 5, -9], n, p=[0.2, 0.2, 0.2, 0.2, 0.15, 0.05])
        columns[f"g{number:02d}_haeufig"] = [str(c) for c in codes]
    for number in range(1, 9):
        lacking = rng.random(n) < 0.08
        columns[f"ausgaben_{number}"] = _money(rng.lognormal(4.0, 0.8, n), lacking)
    lines = [";".join(columns)]
    lines += [";".join(row) for row in zip(*columns.values(), strict=True)]
    path.write_bytes(("\r\n".join(lines) + "\r\n").encode("cp1252"))
    return path


def _money(values: np.ndarray, lacking: np.ndarray) -> list[str]:
    return _decimal(values, lacking)


def _decimal(values: np.ndarray, lacking: np.ndarray, places: int = 2) -> list[str]:
    return [
        "" if gap else f"{value:.{places}f}".replace(".", ",")
        for value, gap in zip(values, lacking, strict=True)
    ]


def _whole(values: np.ndarray, lacking: np.ndarray) -> list[str]:
    return ["" if gap else f"{value:.0f}" for value, gap in zip(values, lacking, strict=True)]


def write_wide(path: Path, n: int = 50_000, columns: int = 20, seed: int = 3) -> Path:
    """Write a table of numbers that follow three common causes."""
    rng = np.random.default_rng(seed)
    causes = rng.normal(size=(n, 3))
    values = causes @ rng.normal(size=(3, columns)) + 0.5 * rng.normal(size=(n, columns))
    names = [f"measure_{j + 1}" for j in range(columns)]
    pl.DataFrame(np.round(values, 3), schema=names).write_csv(path)
    return path


def write_graph(path: Path, n: int = 600, seed: int = 5) -> Path:
    """Write an edge list with many small and few large degrees."""
    rng = np.random.default_rng(seed)
    ends = [(i, int(rng.integers(0, i))) for i in range(1, n)]
    ends += [(i, int(rng.integers(0, max(1, i // 8)))) for i in range(9, n)]
    lines = sorted({(min(u, v), max(u, v)) for u, v in ends if u != v})
    path.write_text("".join(f"{u} {v}\n" for u, v in lines), encoding="utf-8")
    return path
