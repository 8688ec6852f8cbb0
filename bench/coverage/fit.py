"""Fits the weights of expected use and tests them on recordings they were not fitted on.

    python -m bench.coverage.fit [--folds N]

Prints the weights for clew/summarize/extractive/weights.py and, for bare lists of identifiers of
several sizes, the share of needed identifiers that such a list shows in the held-out folds.
"""

from __future__ import annotations

import argparse
import random
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bench.coverage.playing import COUNTER, Played, play, recordings
from clew.summarize.extractive.identifiers import IdentifierKind
from clew.summarize.extractive.weights import Usage, features, name_score

COLUMNS = (
    "bias", "agent", "user", "any_agent", "fresh", "age", "kin", "part", "length",
    *(f"is_{kind.value}" for kind in IdentifierKind),
    "agent_number", "agent_hash", "agent_dotted", "agent_camel", "agent_slashed",
)  # fmt: skip
LISTS = (450, 1_000, 1_800, 2_800)
RIDGE = 2.0
NEGATIVES_KEPT = 0.12
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Samples:
    """One row per identifier and compaction."""

    inputs: Array
    needed: Array
    costs: Array
    compaction: Array
    recording: Array


def collect() -> Samples:
    rows: list[list[float]] = []
    needed: list[bool] = []
    names: list[str] = []
    compaction: list[int] = []
    recording: list[int] = []
    number = 0
    for place, recorded in enumerate(recordings()):
        for played in play(recorded, 4_000):
            if not played.needs:
                continue
            wanted = {need.name for need in played.needs}
            for usage in usages(played):
                found = features(usage)
                rows.append([found.get(column, 0.0) for column in COLUMNS])
                needed.append(usage.name in wanted)
                names.append(usage.name)
                compaction.append(number)
                recording.append(place)
            number += 1
    costs = COUNTER.count_texts([f", {name}" for name in names])
    return Samples(
        np.array(rows), np.array(needed, float), np.array(costs, float),
        np.array(compaction), np.array(recording),
    )  # fmt: skip


def usages(played: Played) -> list[Usage]:
    """The identifiers of everything absorbed so far that stand nowhere in view."""
    recorded, cut = played.recorded, played.cut
    agent: dict[str, int] = {}
    user: dict[str, int] = {}
    seen: dict[str, int] = {}
    used: dict[str, int] = {}
    for place in range(recorded.head, cut.middle):
        reading = recorded.readings[place]
        for name in reading.agent_names:
            agent[name] = agent.get(name, 0) + 1
            used[name] = seen[name] = place
        for name in reading.user_names:
            user[name] = user.get(name, 0) + 1
            seen[name] = place
        seen.update(dict.fromkeys(reading.tool_names, place))
    shown = (*recorded.readings[: recorded.head], *recorded.readings[cut.middle : cut.end])
    in_view = {
        name for r in shown for name in (*r.agent_names, *r.tool_names, *r.user_names)
    }  # fmt: skip
    looks = [name_score(name) for name in in_view]
    stems = {look.stem for look in looks if len(look.stem) >= 4}
    parts = {look.part for look in looks}
    return [
        Usage(
            name=name,
            agent_uses=agent.get(name, 0),
            user_uses=user.get(name, 0),
            age=float(cut.end - used.get(name, last)),
            kin=name_score(name).stem in stems,
            part=name_score(name).part in parts,
        )
        for name, last in seen.items()
        if name not in in_view
    ]


def fitted(samples: Samples, chosen: NDArray[np.bool_], weight: Array) -> Array:
    """Ridge logistic regression by Newton's method."""
    inputs, needed, weight = samples.inputs[chosen], samples.needed[chosen], weight[chosen]
    theta = np.zeros(inputs.shape[1])
    for _ in range(20):
        chance = 1 / (1 + np.exp(-np.clip(inputs @ theta, -30, 30)))
        slope = inputs.T @ (weight * (needed - chance)) - RIDGE * theta
        curve = (inputs.T * (weight * chance * (1 - chance))) @ inputs
        step = np.linalg.solve(curve + RIDGE * np.eye(len(theta)), slope)
        theta += step
        if abs(step).max() < 1e-3:
            break
    return theta


def shown_by_lists(samples: Samples, score: Array) -> list[float]:
    totals = dict.fromkeys(LISTS, 0.0)
    for number in np.unique(samples.compaction):
        rows = np.where(samples.compaction == number)[0]
        order = rows[np.argsort(-score[rows] / (samples.costs[rows] + 1), kind="stable")]
        spent = np.cumsum(samples.costs[order])
        for size in LISTS:
            totals[size] += samples.needed[order[spent <= size]].sum()
    return [round(100 * totals[size] / samples.needed.sum(), 1) for size in LISTS]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folds", type=int, default=5)
    folds = parser.parse_args().folds
    samples = collect()
    draw = random.Random(0)
    kept = np.array([n > 0 or draw.random() < NEGATIVES_KEPT for n in samples.needed])
    weight = np.where(samples.needed > 0, 1.0, 1.0 / NEGATIVES_KEPT)
    score = np.zeros(len(samples.needed))
    for fold in range(folds):
        held_out = samples.recording % folds == fold
        theta = fitted(samples, kept & ~held_out, weight)
        score[held_out] = 1 / (1 + np.exp(-(samples.inputs[held_out] @ theta)))
    print(f"{len(score)} rows, {int(samples.needed.sum())} needed, {folds} folds by recording")
    print("held out, shown by lists of", LISTS, "tokens:", shown_by_lists(samples, score))
    theta = fitted(samples, kept, weight)
    print({name: round(float(value), 3) for name, value in zip(COLUMNS, theta, strict=True)})


if __name__ == "__main__":
    main()
