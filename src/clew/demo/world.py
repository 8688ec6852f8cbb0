"""The world of the demo: a real SQLite database with the export of two tenants.

The rows come from arithmetic on their number, so every run sees the same bytes. 47 case numbers
occur in both tenants, and 133 rows were exported twice. SQLite does all the counting.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

TENANTS = ("harbor", "summit")
CASES_OF_HARBOR = 981
CASES_OF_SUMMIT = 931
SHARED_CASE_IDS = 47
RESENT_ROWS = 133
ROWS_SHOWN = 24

REGIONS = ("north", "east", "south", "west", "islands")
CURRENCIES = ("GBP", "NOK", "USD")
OWNERS = (
    "a.lindqvist",
    "b.okafor",
    "c.marino",
    "d.fischer",
    "e.tanaka",
    "f.duarte",
    "g.novak",
    "h.reyes",
)
CHANNELS = ("portal", "phone", "letter", "partner", "branch")
STATUSES = ("open", "disputed", "written off", "closed")
METHODS = ("transfer", "card", "direct debit", "offset")

SCHEMA = """
CREATE TABLE export_cases (
  row_id INTEGER PRIMARY KEY, tenant_id TEXT NOT NULL, case_id TEXT NOT NULL,
  opened_on TEXT NOT NULL, status TEXT NOT NULL, region TEXT NOT NULL, currency TEXT NOT NULL,
  amount_cents INTEGER NOT NULL, fee_cents INTEGER NOT NULL, owner TEXT NOT NULL,
  channel TEXT NOT NULL, exported_at TEXT NOT NULL);
CREATE TABLE export_payments (
  payment_id TEXT PRIMARY KEY, tenant_id TEXT NOT NULL, case_id TEXT, paid_on TEXT NOT NULL,
  amount_cents INTEGER NOT NULL, method TEXT NOT NULL);
CREATE TABLE fx_rates (currency TEXT, month TEXT, to_eur REAL, PRIMARY KEY (currency, month));
CREATE TABLE export_notes (section TEXT PRIMARY KEY, body TEXT NOT NULL);
"""

NOTES = (
    ("case_id", "case_id is the number of the case, as printed on the letter to the customer."),
    ("exported_at", "time of the export; a row that was sent twice has two of them."),
    ("amount_cents", "amount of the claim in the smallest unit of its currency."),
    ("status", "closed, open, disputed or written off; disputed cases count as open."),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """What the ledger ought to hold and what it holds, counted by the database."""

    expected: int
    loaded: int

    @property
    def lost(self) -> int:
        """Cases of the export that the ledger does not have."""
        return self.expected - self.loaded


class World:
    """The database, the one tool that reaches it, and the audit that the agent never sees."""

    def __init__(self) -> None:
        self._database = sqlite3.connect(":memory:")
        self._database.executescript(SCHEMA)
        _fill(self._database)

    def sql(self, query: str) -> str:
        """Run one statement; gives a table of text, or the database's own error."""
        try:
            cursor = self._database.execute(query)
            rows = cursor.fetchall()
        except sqlite3.Error as error:
            return f"error: {error}"
        if cursor.description is None:
            return f"ok, {max(cursor.rowcount, 0)} rows changed"
        return _table([column[0] for column in cursor.description], rows)

    def reset_ledger(self) -> None:
        """What happens over night: the ledger is gone, the export is still there."""
        self._database.execute("DROP TABLE IF EXISTS ledger")

    def audit(self) -> Audit:
        """Compare the ledger with the export, case by case within each tenant."""
        expected = self._one(
            "SELECT COUNT(*) FROM (SELECT DISTINCT tenant_id, case_id FROM export_cases)"
        )
        if not self._one("SELECT COUNT(*) FROM sqlite_master WHERE name = 'ledger'"):
            return Audit(expected=expected, loaded=0)
        return Audit(
            expected=expected,
            loaded=self._one(
                "SELECT COUNT(*) FROM (SELECT DISTINCT tenant_id, case_id FROM ledger)"
            ),
        )

    def close(self) -> None:
        """Release the database."""
        self._database.close()

    def _one(self, query: str) -> int:
        return int(self._database.execute(query).fetchone()[0])


def _table(columns: list[str], rows: list[tuple[object, ...]]) -> str:
    """Rows as text, at most `ROWS_SHOWN` of them."""
    lines = [" | ".join(columns)]
    lines += [" | ".join("" if v is None else str(v) for v in row) for row in rows[:ROWS_SHOWN]]
    if len(rows) > ROWS_SHOWN:
        lines.append(f"({ROWS_SHOWN} of {len(rows)} rows shown)")
    else:
        lines.append(f"({len(rows)} rows)")
    return "\n".join(lines)


def _spread(number: int, salt: int) -> int:
    """A number that looks unrelated to its neighbours and is the same on every machine."""
    value = (number * 2_654_435_761 + salt * 40_503 + 12_345) & 0xFFFFFFFF
    value ^= value >> 15
    value = (value * 2_246_822_519) & 0xFFFFFFFF
    return value ^ (value >> 13)


def _case_number(tenant: str, index: int) -> str:
    """Both tenants count their cases alone; 47 numbers meet."""
    start = 40_000 if tenant == "harbor" else 40_000 + CASES_OF_HARBOR - SHARED_CASE_IDS
    return f"C-{start + index}"


def _case_row(tenant: str, index: int) -> tuple[object, ...]:
    seed = index * 2 + (tenant == "summit")
    month, day = _spread(seed, 1) % 12 + 1, _spread(seed, 2) % 28 + 1
    return (
        tenant,
        _case_number(tenant, index),
        f"2025-{month:02}-{day:02}",
        STATUSES[min(_spread(seed, 3) % 7, 3)],
        REGIONS[_spread(seed, 4) % len(REGIONS)],
        CURRENCIES[_spread(seed, 5) % len(CURRENCIES)],
        1_000 + _spread(seed, 6) % 900_000,
        _spread(seed, 7) % 4_500,
        OWNERS[_spread(seed, 8) % len(OWNERS)],
        CHANNELS[_spread(seed, 9) % len(CHANNELS)],
        "2026-01-04T02:00",
    )


def _payment_row(number: int) -> tuple[object, ...]:
    tenant = TENANTS[number % 2]
    cases = CASES_OF_HARBOR if tenant == "harbor" else CASES_OF_SUMMIT
    case = None if number % 67 == 0 else _case_number(tenant, _spread(number, 11) % cases)
    month, day = _spread(number, 12) % 12 + 1, _spread(number, 13) % 28 + 1
    return (
        f"P-{70_000 + number}",
        tenant,
        case,
        f"2025-{month:02}-{day:02}",
        500 + _spread(number, 14) % 250_000,
        METHODS[_spread(number, 15) % len(METHODS)],
    )


def _fill(database: sqlite3.Connection) -> None:
    cases = [_case_row("harbor", n) for n in range(CASES_OF_HARBOR)]
    cases += [_case_row("summit", n) for n in range(CASES_OF_SUMMIT)]
    cases += [(*cases[n * 11][:-1], "2026-01-05T02:00") for n in range(RESENT_ROWS)]
    marks = ", ".join("?" * 11)
    columns = (
        "tenant_id, case_id, opened_on, status, region, currency, amount_cents, fee_cents, "
        "owner, channel, exported_at"
    )
    database.executemany(f"INSERT INTO export_cases ({columns}) VALUES ({marks})", cases)
    database.executemany(
        "INSERT INTO export_payments VALUES (?, ?, ?, ?, ?, ?)",
        [_payment_row(n) for n in range(1_400)],
    )
    database.executemany(
        "INSERT INTO fx_rates VALUES (?, ?, ?)",
        [
            (currency, f"2025-{month:02}", round(base * (1 + _spread(month, 20) % 300 / 10_000), 4))
            for currency, base in (("GBP", 1.16), ("NOK", 0.085), ("USD", 0.91))
            for month in range(1, 13)
        ],
    )
    database.executemany("INSERT INTO export_notes VALUES (?, ?)", NOTES)
    database.commit()
