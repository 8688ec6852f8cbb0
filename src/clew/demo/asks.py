"""What the user asks in the demo, and how the agent answers each kind of question with SQL."""

from __future__ import annotations

import re
from dataclasses import dataclass

GOAL = (
    "Reconcile the export of our two tenants, harbor and summit, into one table named ledger, and "
    "keep it right while we work through the questions of the audit. Every case of the export has "
    "to be in the ledger exactly once; a row that was sent twice counts once. At the end the audit "
    "signs the number of rows.\n"
    "Request 1: write the transform, load the ledger and check it against the export."
)
CENTS_RULE = "From now on report every amount in cents, as a whole number, never rounded to euros."
LAST_ASK = (
    "the ledger was dropped over night and the audit signs today. Rebuild it with the transform "
    "of Request 1 and report the number of rows."
)
SYSTEM = (
    "You are a careful data engineer. You reach a SQLite database through the tool sql, one "
    "statement a call. Work in small steps, say what each step is for, and answer in one paragraph "
    "when a request is done."
)


@dataclass(frozen=True, slots=True)
class Look:
    """One statement of an answer: a name, what it is for, the SQL."""

    name: str
    purpose: str
    sql: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A kind of question: how it is asked, and its statements in order.

    `ask` and the statements hold places for the words between braces; `pattern` reads them back
    out of the question. The last statement gives one row: a count and an amount in cents.
    """

    ask: str
    looks: tuple[Look, ...]
    answer: str

    @property
    def pattern(self) -> re.Pattern[str]:
        """Recognises the question and names its words."""
        return re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>[\\w-]+)", re.escape(self.ask)))


QUESTIONS = (
    Question(
        ask="total the claims of {month} by {dimension}.",
        looks=(
            Look(
                "groups",
                "which values {dimension} takes in {month}",
                "SELECT {dimension}, status, COUNT(*) AS claims, SUM(amount_cents) AS cents, "
                "SUM(fee_cents) AS fees FROM export_cases WHERE opened_on LIKE '{month}%' "
                "GROUP BY {dimension}, status ORDER BY {dimension}, status",
            ),
            Look(
                "extremes",
                "the smallest and the largest claim of every {dimension}",
                "SELECT {dimension}, MIN(amount_cents) AS smallest, MAX(amount_cents) AS largest, "
                "ROUND(AVG(amount_cents)) AS mean FROM export_cases "
                "WHERE opened_on LIKE '{month}%' GROUP BY {dimension} ORDER BY largest DESC",
            ),
            Look(
                "days",
                "the days of {month} with the most claims",
                "SELECT opened_on, COUNT(*) AS claims, SUM(amount_cents) AS cents "
                "FROM export_cases WHERE opened_on LIKE '{month}%' GROUP BY opened_on "
                "ORDER BY claims DESC, opened_on LIMIT 16",
            ),
            Look(
                "total",
                "all claims of {month} together",
                "SELECT COUNT(*) AS claims, SUM(amount_cents) AS cents FROM export_cases "
                "WHERE opened_on LIKE '{month}%'",
            ),
        ),
        answer="{count} claims were opened in {month}, {amount} in total, split by {dimension}",
    ),
    Question(
        ask="list the largest disputed claims of {tenant} since {month}.",
        looks=(
            Look(
                "largest",
                "disputed claims of {tenant}, largest first",
                "SELECT case_id, opened_on, region, currency, amount_cents, owner "
                "FROM export_cases WHERE tenant_id = '{tenant}' AND status = 'disputed' "
                "AND opened_on >= '{month}' ORDER BY amount_cents DESC LIMIT 18",
            ),
            Look(
                "owners",
                "who works on them",
                "SELECT owner, COUNT(*) AS claims, SUM(amount_cents) AS cents FROM export_cases "
                "WHERE tenant_id = '{tenant}' AND status = 'disputed' AND opened_on >= '{month}' "
                "GROUP BY owner ORDER BY cents DESC",
            ),
            Look(
                "total",
                "how much is in dispute",
                "SELECT COUNT(*) AS claims, SUM(amount_cents) AS cents FROM export_cases "
                "WHERE tenant_id = '{tenant}' AND status = 'disputed' AND opened_on >= '{month}'",
            ),
        ),
        answer="{tenant} has {count} disputed claims since {month}, {amount} in all",
    ),
    Question(
        ask="find the payments of {month} that name no case.",
        looks=(
            Look(
                "nameless",
                "payments without a case",
                "SELECT payment_id, tenant_id, paid_on, amount_cents, method FROM export_payments "
                "WHERE case_id IS NULL ORDER BY paid_on LIMIT 21",
            ),
            Look(
                "methods",
                "how the payments of {month} came in",
                "SELECT method, tenant_id, COUNT(*) AS payments, SUM(amount_cents) AS cents "
                "FROM export_payments WHERE paid_on LIKE '{month}%' "
                "GROUP BY method, tenant_id ORDER BY method, tenant_id",
            ),
            Look(
                "total",
                "the part of {month} that names none",
                "SELECT COUNT(*) AS payments, COALESCE(SUM(amount_cents), 0) AS cents "
                "FROM export_payments WHERE case_id IS NULL AND paid_on LIKE '{month}%'",
            ),
        ),
        answer="{count} payments of {month} name no case, {amount} in all, and wait for the bank",
    ),
    Question(
        ask="convert the {currency} claims of the region {region} at the rate of their month.",
        looks=(
            Look(
                "rates",
                "the rates of {currency}",
                "SELECT month, to_eur FROM fx_rates WHERE currency = '{currency}' ORDER BY month",
            ),
            Look(
                "months",
                "claims by month with their rate",
                "SELECT f.month, f.to_eur, COUNT(*) AS claims, SUM(c.amount_cents) AS cents, "
                "CAST(SUM(c.amount_cents * f.to_eur) AS INTEGER) AS eur_cents FROM export_cases c "
                "JOIN fx_rates f ON f.currency = c.currency "
                "AND f.month = substr(c.opened_on, 1, 7) WHERE c.currency = '{currency}' "
                "AND c.region = '{region}' GROUP BY f.month ORDER BY f.month",
            ),
            Look(
                "total",
                "the year together",
                "SELECT COUNT(*) AS claims, CAST(SUM(c.amount_cents * f.to_eur) AS INTEGER) "
                "AS eur_cents FROM export_cases c JOIN fx_rates f ON f.currency = c.currency "
                "AND f.month = substr(c.opened_on, 1, 7) WHERE c.currency = '{currency}' "
                "AND c.region = '{region}'",
            ),
        ),
        answer="{count} claims of {region} are in {currency}, worth {amount} at their rates",
    ),
    Question(
        ask="show how the open work of the region {region} is spread since {month}.",
        looks=(
            Look(
                "owners",
                "open claims by owner and channel",
                "SELECT owner, channel, COUNT(*) AS claims, SUM(amount_cents) AS cents "
                "FROM export_cases WHERE region = '{region}' AND status IN ('open', 'disputed') "
                "AND opened_on >= '{month}' GROUP BY owner, channel ORDER BY cents DESC LIMIT 22",
            ),
            Look(
                "oldest",
                "the oldest ones",
                "SELECT tenant_id, case_id, opened_on, owner, amount_cents FROM export_cases "
                "WHERE region = '{region}' AND status IN ('open', 'disputed') "
                "AND opened_on >= '{month}' ORDER BY opened_on, row_id LIMIT 14",
            ),
            Look(
                "total",
                "all of it",
                "SELECT COUNT(*) AS claims, SUM(amount_cents) AS cents FROM export_cases "
                "WHERE region = '{region}' AND status IN ('open', 'disputed') "
                "AND opened_on >= '{month}'",
            ),
        ),
        answer="{count} claims of {region} are open since {month}, {amount} in all",
    ),
)

WORDS: tuple[dict[str, str], ...] = (
    {
        "month": "2025-03",
        "dimension": "region",
        "tenant": "harbor",
        "currency": "GBP",
        "region": "east",
    },
    {
        "month": "2025-05",
        "dimension": "channel",
        "tenant": "summit",
        "currency": "NOK",
        "region": "west",
    },
    {
        "month": "2025-02",
        "dimension": "owner",
        "tenant": "harbor",
        "currency": "USD",
        "region": "north",
    },
    {
        "month": "2025-08",
        "dimension": "currency",
        "tenant": "summit",
        "currency": "GBP",
        "region": "islands",
    },
    {
        "month": "2025-06",
        "dimension": "status",
        "tenant": "harbor",
        "currency": "USD",
        "region": "south",
    },
    {
        "month": "2025-10",
        "dimension": "region",
        "tenant": "summit",
        "currency": "NOK",
        "region": "east",
    },
)
CENTS_RULE_FROM = 4


def asks() -> tuple[str, ...]:
    """Everything the user says, in order; the first is the goal."""
    middle = [question.ask.format_map(words) for words in WORDS for question in QUESTIONS]
    said = [GOAL]
    for number, ask in enumerate(middle, start=2):
        rule = f" {CENTS_RULE}" if number == CENTS_RULE_FROM else ""
        said.append(f"Request {number}: {ask}{rule}")
    said.append(f"Request {len(middle) + 2}: {LAST_ASK}")
    return tuple(said)
