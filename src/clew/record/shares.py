"""How the token target of a rendered record is split."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewShares:
    """Every number that decides how the token target is split.

    `index_share` is the fraction of the target kept for the index; items may use what the index
    leaves and the other way round; what a person said goes before it, and so do unprotected items
    that the agent came back to, up to `used_share`. What is done of the plan, skills in use and
    attached files may take `standing_share`. The short form of a protected item takes about
    `line_share`, at four letters a token, within fixed bounds. A header larger than `header_share`
    is said in few words. A directive is huge above `huge_share` of the target. An item earns
    `weight of its kind * (value + base + use * log(1 + uses))`, a settled one times `settled`.
    `full` is the part of an earning that the full line of a protected item adds to its short one.
    A record of fewer than `brief_tokens` counts what it does not show in one number, not by kind.
    `settled_shown` is how many settled items of a kind may be shown.
    """

    index_share: float = 0.67
    used_share: float = 0.04
    huge_share: float = 0.35
    standing_share: float = 0.08
    line_share: float = 0.027
    header_share: float = 0.10
    small_share: float = 0.08
    brief_tokens: int = 1_200
    huge_tokens: int = 400
    base: float = 0.25
    use: float = 0.25
    settled: float = 0.2
    full: float = 0.5
    settled_shown: int = 3


DEFAULT_SHARES = ViewShares()
