"""The tables of the README, and what the independent script is given."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence

from bench.summarizer.weighing import Answered, Weighed, counted, kind_of_problem
from clew.record.items import Item
from clew.record.record import HandoffRecord
from clew.replay.coverage import summed


def report(weighed: Sequence[Weighed]) -> str:
    """All tables, in markdown."""
    parts = [calls(weighed), operations(weighed), reasons(weighed), coverage(weighed)]
    return "\n\n".join(parts)


def calls(weighed: Sequence[Weighed]) -> str:
    """What the model was asked and how it answered."""
    heard = [h for each in weighed for h in each.heard]
    replies = [h.reply for h in heard if h.reply is not None]
    unusable = Counter(a.unusable for each in weighed for a in each.answers if a.unusable)
    fell_back = sum(each.fell_back for each in weighed)
    stale = sum(each.stale for each in weighed)
    named = "; ".join(f"{reason}: {count}" for reason, count in unusable.most_common())
    return "\n".join([
        f"{len(weighed)} compactions, {len(heard)} calls "
        f"({sum(r.usage.input_tokens for r in replies):,} tokens read, "
        f"{sum(r.usage.cached_tokens for r in replies):,} of them cached, "
        f"{sum(r.usage.output_tokens for r in replies):,} written, "
        f"{sum(h.seconds for h in heard) / 60:.0f} minutes); "
        f"{sum(unusable.values())} answers without a whole operation"
        + (f" ({named})" if named else "") + ". "
        f"In {fell_back} compactions nothing of the model stood and the offline record was used "
        f"alone. {stale} replies answer an earlier wording of their request.",
    ])  # fmt: skip


def operations(weighed: Sequence[Weighed]) -> str:
    """Proposed, accepted, repaired, dropped."""
    first = [each.answers[0] for each in weighed if each.answers]
    used = [each.answers[each.used] for each in weighed if each.used >= 0]
    rows = [
        ("first answers", proposed(first), accepted(first), None),
        ("answers used, after the round of repair", proposed(used), accepted(used),
         sum(len(each.repaired) for each in weighed)),
    ]  # fmt: skip
    lines = [
        "| | proposed | stand | of these repaired | dropped on checking | left out on reading |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for name, whole, standing, repaired in rows:
        answers = first if repaired is None else used
        dropped = sum(bool(j.rules) for a in answers for j in a.judged)
        lines.append(
            f"| {name} | {whole} | {standing} ({share(standing, whole)} %) | "
            f"{'' if repaired is None else repaired} | {dropped} ({share(dropped, whole)} %) | "
            f"{whole - standing - dropped} ({share(whole - standing - dropped, whole)} %) |"
        )
    doubtful = sum(j.doubtful and not j.rules for a in used for j in a.judged)
    new = Counter(
        item.kind for each in weighed for item in each.both.record.items if item.id in each.new
    )
    refused = sum(len(each.both.refused) for each in weighed)
    lines += [
        "",
        f"{doubtful} of the operations that stand lost a reason or an option that nobody gave; "
        f"{refused} were refused when the record was made. New items beside the offline ones: "
        + (", ".join(f"{kind} {count}" for kind, count in new.most_common()) or "none") + ".",
    ]  # fmt: skip
    return "\n".join(lines)


def proposed(answers: Iterable[Answered]) -> int:
    """Operations of answers, those that could not be read included."""
    return sum(len(a.judged) + len(operation_problems(a)) for a in answers)


def accepted(answers: Iterable[Answered]) -> int:
    """Operations that no error drops."""
    return sum(not j.rules for a in answers for j in a.judged)


def operation_problems(answer: Answered) -> list[str]:
    """Problems that are each one operation; that an answer broke off is none."""
    return [problem for problem in answer.left_out if " was left out: " in problem]


def reasons(weighed: Sequence[Weighed]) -> str:
    """Why operations of first answers did not stand."""
    first = [each.answers[0] for each in weighed if each.answers]
    lines = ["| why (first answers) | operations |", "|---|--:|"]
    rules = Counter(
        (j.rules[0], kind_of_problem(j.problems[0])) for a in first for j in a.judged if j.rules
    )
    lines += [f"| {rule}: {said} | {count} |" for (rule, said), count in rules.most_common()]
    left = [problem for a in first for problem in operation_problems(a)]
    lines += [f"| on reading: {said} | {count} |" for said, count in counted(left)]
    return "\n".join(lines)


def coverage(weighed: Sequence[Weighed]) -> str:
    """Reference coverage of the record with the model's items and without."""
    lines = [
        "| record | needed | visible % | visible or addressable % | mean tokens |",
        "|---|--:|--:|--:|--:|",
    ]
    for name, parts, views in (
        ("offline", [e.coverage_offline for e in weighed], [e.offline.view for e in weighed]),
        ("model + offline", [e.coverage_both for e in weighed], [e.both.view for e in weighed]),
    ):
        whole = summed(parts)
        tokens = sum(view.tokens for view in views) / max(1, len(views))
        lines.append(
            f"| {name} | {whole.needed} | {share(whole.visible, whole.needed)} | "
            f"{share(whole.visible + whole.addressable, whole.needed)} | {tokens:.0f} |"
        )
    worse = sum(e.coverage_both.visible < e.coverage_offline.visible for e in weighed)
    better = sum(e.coverage_both.visible > e.coverage_offline.visible for e in weighed)
    same = len(weighed) - worse - better
    lines += ["", f"More is visible in {better}, the same in {same}, less in {worse} compactions."]
    return "\n".join(lines)


def share(part: int, whole: int) -> str:
    """A share in per cent."""
    return f"{100 * part / whole:.1f}" if whole else "-"


def dump(weighed: Weighed) -> str:
    """A compaction for the independent script: the record, and what it may be made of."""
    record = weighed.both.record
    return json.dumps(
        {
            "case": weighed.case.name,
            "sources": weighed.case.sources(),
            "items": [
                *({"id": i.id, "by": i.proposed_by.value, "texts": texts_of(i)}
                  for i in record.items),
                {"id": "next", "by": "model", "texts": [record.next]},
            ],
            "quotes": list(quotes_of(record)),
        },
        ensure_ascii=False,
        default=str,
    )  # fmt: skip


def texts_of(item: Item) -> list[str]:
    """Everything an item says."""
    rejected = [text for each in item.rejected for text in (each.option, each.why)]
    return [item.text, item.why, item.reason, *rejected, *(value for _, value in item.fields)]


def quotes_of(record: HandoffRecord) -> Iterable[dict[str, str]]:
    """Every quotation of every item."""
    for item in record.items:
        for evidence in item.evidence:
            yield {"id": item.id, "by": item.proposed_by.value, "quote": evidence.quote}
    for evidence in record.next_evidence:
        yield {"id": "next", "by": "model", "quote": evidence.quote}
