"""What is about the moment is no finding, whatever name or number it holds."""

from __future__ import annotations

import pytest

from clew.summarize.extractive.cues import built_in_cues
from clew.summarize.extractive.passing import is_account, passes


@pytest.mark.parametrize(
    "said",
    [
        "I was about to create the tide folder, but it already exists.",
        "The next step is to find `tide.c` where the error comes from.",
        "The loader reads an empty `dir`, so I should check how the values are merged.",
        "If the loader had read `tide.c`, it would not see the change.",
        "Unless `typecast` happens before the block.",
        "Ideally, all copies of the name are replaced in `tide.c`.",
        "Okay, lines 408-409 are the ones.",
        "Line 3223 is empty.",
        "I found the right path for the root helper.",
        "Yes, but not with the code of today.",
        "instead of `refs/heads/main`, map it to `refs/heads/e2e/main`",
        "whatever the user already has in `git config`",
        "You can now use the lamp to see the harbour.",
        "Wait, `tide.c` is at 40.",
        "Please use the search of `tide.example` for the table of 1998.",
        '"reason": "The table of `tide.c` has not been found yet."',
        "1195\u2192+- `tide.c` is always read here.",
        "Good catch: `Dec 31` is from another year.",
        "Now that the lamp is installed, we can try `tide`.",
        "So `xis` is a tuple of rows.",
        "So lines 315-319 are trying to sort the rows by the moon.",
        "Line 3225 is `__gt__ = Tide.__gt__`.",
        "The issue with `tide.c` still persists.",
        "This is likely because `tide.c` is not installed.",
        "Two things: let me keep `tide.c` first.",
        "Made that explicit in [tide](/home/keeper/tide.md:65).",
        "Moved to the tides and added a lamp in [tide](/home/keeper/tide.md:146):",
        "`tide.css`: Contains all colours of the tide table.",
        "`tide-table.ts` - file-based tide table",
        "The error message indicates that there is an issue with the `cd` of `tide.mk`.",
        "It seems that the compilation failed.",
        "The red step failed for the expected reason: the page is missing `## Tide`.",
        "It exited with `Error: missing row`, which matches the intended pre-change failure.",
        "We see that there's a `setup.py` file.",
        "The `tide.c` file is quite large and complex, with rows of all sorts.",
        "The push is running through the hooks of `tide.git` and still working.",
        "Both coders are running in parallel on `tide.c` and `moon.c`.",
        "`mise` is present and is pulling the tools of `tide.toml` now.",
        'We still need to find the winner of `tide.c` of 1998.",',
        "Options I see: one line to `stderr`, a counter of 12 rows, or a lamp.",
        "What's missing from the tide tests",
        "Asking for 12 of the `tide.c` rows6.",
    ],
)
def test_looks_hopes_line_numbers_fragments_and_bare_answers_pass(said: str) -> None:
    assert passes(said, built_in_cues())


@pytest.mark.parametrize(
    "said",
    [
        "No commits reference them — they are orphaned.",
        "No job is still running for `tide.c`.",
        "The post-push hook of `tide.git` is writing to the wrong index.",
        "The lamp of the harbour is running on port 4000.",
        "The error comes from `tide.c`, which reads the row before it is there.",
        "The compilation failed because `tide.h` is from another year.",
        "I see that there is a typo in line 9: `modle` instead of `model`.",
        "The file is quite old: `tide.c` was written for the tables of 1998.",
        "I found the bug in `checkTide()`.",
        "I found the cause: the loader stores the raw path.",
        "Line 893 is inside `Tide.rows`.",
        "In most cases, no - because the second prompt builds on the first.",
        "If not, it confirms that the driver reads the wrong address.",
        "the behaviour section now explains `plan` instead of a dry run",
        "Yes, `firstresult=True`, so it returns the first result.",
        "So `base -= rows(xis)` was removing the tuple of rows instead of each row.",
        "The migration is likely the trigger.",
        "`tide.ts`: now imports `lamp` from `./lamp`",
        "**`tide.css`**: Added colours for the night",
        "Total cost for 2 passengers without insurance:",
    ],
)
def test_what_is_said_of_the_world_stays(said: str) -> None:
    assert not passes(said, built_in_cues())


@pytest.mark.parametrize(
    ("said", "account"),
    [
        ("So I have fixed the rounding for the winter table.", True),
        ("I deleted `apply.py`.", True),
        ("The `tide.py` script has been updated with the code of the issue.", True),
        ("I found two uses of it.", False),
        ("The table has been wrong since May.", False),
    ],
)
def test_a_step_of_the_agent_is_an_account(said: str, account: bool) -> None:
    assert is_account(said) == account
