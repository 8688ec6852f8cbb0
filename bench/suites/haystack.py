"""A long run to hide constraints in: source files are read, and a person says what is next."""

from __future__ import annotations

from bench.speed.histories import Message, steps

STEPS_A_TASK = 12

GOAL = "Walk through the package with me and explain each part as I ask for it."

_TASKS = (
    "Now the part that counts tokens.",
    "What does the store do when two writers meet?",
    "Go on with the file that reads recordings.",
    "Show me how a handle is made.",
    "Next, the tests of that part.",
    "Where does the budget come from?",
    "Please summarise what the last files have in common.",
    "And now the command line.",
)


def haystack(tokens: int, *, chars_per_token: float = 3.6) -> list[Message]:
    """About so many tokens of user turns, calls, results and answers, in OpenAI chat form."""
    made: list[Message] = [{"role": "user", "content": GOAL}]
    chars = 0
    for number, (said, result) in enumerate(steps(30)):
        made += [said, result]
        chars += len(said["content"]) + len(result["content"]) + 60
        if (number + 1) % STEPS_A_TASK == 0:
            answer = f"That was part {number // STEPS_A_TASK + 1}: {said['content']}"
            made.append({"role": "assistant", "content": answer})
            if chars >= tokens * chars_per_token:
                break
            task = _TASKS[(number // STEPS_A_TASK) % len(_TASKS)]
            made.append({"role": "user", "content": task})
    return [*made, {"role": "user", "content": "Good. What is left to look at?"}]
