"""Each client against a real HTTP server that speaks its provider's dialect."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from email.utils import formatdate

import pytest

from clew.clients import PROVIDERS, SAFE_WINDOW_TOKENS, OpenAIClient, resolve_client
from clew.clients.failures import retry_after_seconds, shown
from clew.errors import MissingExtraError, PolicyError, SummarizerError
from clew.ports import ModelClient, ModelReply, ModelRequest, ModelUsage, Rates, StopReason
from clew.record import DEFAULT_KINDS
from clew.summarize.schema import reply_schema
from tests.clients.server import DIALECTS, OPENAI, Dialect, LoopbackServer, Scripted
from tests.summarize.building import IDEAL_TEXT, request, summarizer

KEY = "sk-loopback-0123456789"
ASKED = ModelRequest(
    system="You keep the record.",
    prompt="Fold this: 等号 ünïcödé",
    max_output_tokens=321,
    schema={
        "type": "object",
        "properties": {"next": {"type": "string"}},
        "required": ["next"],
        "additionalProperties": False,
    },
)

Complete = Callable[[ModelClient, ModelRequest], ModelReply]


def plainly(client: ModelClient, asked: ModelRequest) -> ModelReply:
    return client.complete(asked)


def awaited(client: ModelClient, asked: ModelRequest) -> ModelReply:
    return asyncio.run(client.acomplete(asked))


both_ways = pytest.mark.parametrize("complete", [plainly, awaited])
each_dialect = pytest.mark.parametrize("dialect", DIALECTS, ids=lambda d: d.name)


@pytest.fixture(autouse=True)
def no_keys_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def made(dialect: Dialect, server: LoopbackServer, *, timeout: float = 20.0) -> ModelClient:
    return dialect.make(
        "m",
        window_tokens=8_192,
        base_url=server.url + dialect.base,
        api_key=KEY,
        timeout_seconds=timeout,
    )


def failure(
    dialect: Dialect, complete: Complete, step: Scripted, *, timeout: float = 20.0
) -> SummarizerError:
    with LoopbackServer(step) as server:
        with pytest.raises(SummarizerError) as raised:
            complete(made(dialect, server, timeout=timeout), ASKED)
        assert len(server.seen) == 1, "a client does not retry by itself"
    assert raised.value.summarizer == f"{dialect.name}:m"
    assert KEY not in str(raised.value)
    return raised.value


@each_dialect
@both_ways
def test_an_answer_comes_back_with_its_usage(dialect: Dialect, complete: Complete) -> None:
    with LoopbackServer(Scripted(body=dialect.answer('{"next": "go — 等号"}'))) as server:
        client = made(dialect, server)
        found = complete(client, ASKED)
        (seen,) = server.seen
    assert found == ModelReply(
        text='{"next": "go — 等号"}',
        stop=StopReason.END,
        usage=ModelUsage(input_tokens=120, cached_tokens=100, output_tokens=30),
    )
    assert (client.name, client.window_tokens) == (f"{dialect.name}:m", 8_192)
    assert dialect.prompt_of(seen.body) == f"{ASKED.system}\n{ASKED.prompt}"
    assert dialect.schema_of(seen.body) == ASKED.schema
    assert "321" in str(seen.body)
    assert "tools" not in seen.body


@each_dialect
@pytest.mark.parametrize("stop", ["length", "refusal", "tool_call"])
def test_why_a_model_stopped_is_told(dialect: Dialect, stop: str) -> None:
    body = dialect.answer("half", dialect.stops[stop])
    with LoopbackServer(Scripted(body=body)) as server:
        assert made(dialect, server).complete(ASKED).stop is StopReason(stop)


@each_dialect
def test_reasoning_only_is_an_empty_text_with_its_tokens(dialect: Dialect) -> None:
    with LoopbackServer(Scripted(body=dialect.answer(None))) as server:
        found = made(dialect, server).complete(ASKED)
    assert (found.text, found.usage.output_tokens) == ("", 30)


@each_dialect
@pytest.mark.parametrize(
    ("status", "permanent"),
    [(400, True), (401, True), (403, True), (404, True), (408, False), (409, False),
     (429, False), (500, False), (503, False), (529, False)],
)  # fmt: skip
def test_a_refusal_says_truthfully_whether_it_can_pass(
    dialect: Dialect, status: int, permanent: bool
) -> None:
    message = f"something about {KEY} went wrong"
    error = failure(dialect, plainly, Scripted(status=status, body=dialect.error(status, message)))
    assert error.permanent is permanent
    assert not error.too_long
    assert f"HTTP {status}: something about [key] went wrong" in error.problem


def test_openai_itself_is_sent_a_schema_with_every_member_required() -> None:
    client = OpenAIClient("m", window_tokens=8_192, api_key=KEY)
    schema = reply_schema(DEFAULT_KINDS)
    sent = client._arguments(replace(ASKED, schema=schema))
    strict = sent["response_format"]["json_schema"]["schema"]
    added = strict["properties"]["add"]["items"]
    assert added["required"] == list(added["properties"])
    assert "max_completion_tokens" in sent
    assert schema == reply_schema(DEFAULT_KINDS), "the request's own schema is not touched"


@each_dialect
@both_ways
def test_a_rate_limit_brings_the_wait_the_provider_asks_for(
    dialect: Dialect, complete: Complete
) -> None:
    body = dialect.error(429, "slow down")
    step = Scripted(status=429, body=body, headers={"Retry-After": "17"})
    error = failure(dialect, complete, step)
    assert (error.permanent, error.retry_after_seconds) == (False, 17.0)


def test_an_empty_account_is_no_rate_limit() -> None:
    body = OPENAI.error(429, "You exceeded your current quota: insufficient_quota")
    assert failure(OPENAI, plainly, Scripted(status=429, body=body)).permanent


@each_dialect
@both_ways
def test_a_request_over_the_window_is_told_apart(dialect: Dialect, complete: Complete) -> None:
    error = failure(
        dialect, complete, Scripted(status=400, body=dialect.error(400, dialect.overflow))
    )
    assert (error.permanent, error.too_long) == (True, True)


@each_dialect
@both_ways
def test_no_answer_in_time_may_pass(dialect: Dialect, complete: Complete) -> None:
    step = Scripted(body=dialect.answer("late"), delay_seconds=2.0)
    error = failure(dialect, complete, step, timeout=0.4)
    assert not error.permanent
    assert "no answer within 0.4 s" in error.problem


@each_dialect
@both_ways
def test_nobody_listening_may_pass(dialect: Dialect, complete: Complete) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    client = dialect.make("m", window_tokens=1, base_url=f"http://127.0.0.1:{port}", api_key=KEY)
    with pytest.raises(SummarizerError, match="no connection") as raised:
        complete(client, ASKED)
    assert not raised.value.permanent


@each_dialect
@pytest.mark.parametrize("body", ["", "<html>gateway</html>", "{}", "[]", '{"choices": []}'])
def test_a_body_that_is_no_answer_is_a_summarizer_error(dialect: Dialect, body: str) -> None:
    with LoopbackServer(Scripted(body=body)) as server, pytest.raises(SummarizerError):
        made(dialect, server).complete(ASKED)


@each_dialect
def test_a_cancelled_call_ends_at_once(dialect: Dialect) -> None:
    async def cancelled(client: ModelClient) -> float:
        task = asyncio.create_task(client.acomplete(ASKED))
        await asyncio.sleep(0.6)
        started = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return time.monotonic() - started

    with LoopbackServer(Scripted(body=dialect.answer("late"), delay_seconds=3.0)) as server:
        assert asyncio.run(cancelled(made(dialect, server))) < 1.5


@each_dialect
@both_ways
def test_a_server_without_structured_output_is_asked_in_the_plain_form(
    dialect: Dialect, complete: Complete
) -> None:
    plain = "ADD fact: the parser may round\nSPAN: S-3\nQUOTE: The parser may round.\nEND"
    with LoopbackServer(
        Scripted(status=400, body=dialect.error(400, dialect.no_schema)),
        Scripted(body=dialect.answer(plain)),
    ) as server:
        client = dialect.make(
            "m", window_tokens=100_000, base_url=server.url + dialect.base, api_key=KEY
        )
        model = summarizer(client)
        delta = (
            model.propose(request())
            if complete is plainly
            else asyncio.run(model.apropose(request()))
        )
        first, second = server.seen
    assert len(delta.operations) == 1
    assert dialect.schema_of(first.body) is not None
    assert dialect.schema_of(second.body) is None
    assert "The last line is END." in dialect.prompt_of(second.body)


@each_dialect
def test_from_the_wire_to_a_delta(dialect: Dialect) -> None:
    with LoopbackServer(
        Scripted(status=503, body=dialect.error(503, "overloaded")),
        Scripted(body=dialect.answer(IDEAL_TEXT)),
    ) as server:
        client = dialect.make(
            "m", window_tokens=100_000, base_url=server.url + dialect.base, api_key=KEY
        )
        outcome = summarizer(client).propose_with_facts(request())
    assert len(outcome.delta.operations) == 3
    assert (outcome.facts["calls"], outcome.facts["retries"]) == (2, 1)
    assert outcome.facts["input_tokens"] == 120


@pytest.mark.parametrize(
    ("complaint", "gone", "there"),
    [
        ("Unsupported value: 'temperature' does not support 0", "temperature", "max_tokens"),
        ("Use 'max_completion_tokens' instead of 'max_tokens'.", "max_tokens",
         "max_completion_tokens"),
    ],
)  # fmt: skip
def test_a_server_that_knows_another_parameter_gets_that(
    complaint: str, gone: str, there: str
) -> None:
    with LoopbackServer(
        Scripted(status=400, body=OPENAI.error(400, complaint)),
        Scripted(body=OPENAI.answer("ok")),
    ) as server:
        assert made(OPENAI, server).complete(ASKED).text == "ok"
        first, second = server.seen
    assert gone in first.body
    assert gone not in second.body
    assert there in second.body


# ---- by name --------------------------------------------------------------------------------


class Known:
    def window_tokens(self, model: str) -> int | None:
        return 200_000 if model.endswith("known") else None

    def output_tokens(self, model: str) -> int | None:
        return None

    def rates(self, model: str) -> Rates | None:
        return None


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_client_is_found_by_provider_and_model(provider: str) -> None:
    def window(model: str, declared: int | None = None) -> int:
        return resolve_client(
            f"{provider}:{model}", api_key=KEY, prices=Known(), window_tokens=declared
        ).window_tokens

    assert resolve_client(f"{provider}:a:b", api_key=KEY).name == f"{provider}:a:b"
    assert window("known", 4_096) == 4_096
    assert window("known") == 200_000
    assert window("new") == SAFE_WINDOW_TOKENS


@pytest.mark.parametrize("name", ["", "openai", "openai:", "openai: ", "acme:m", ":m"])
def test_a_name_that_is_none_says_what_is_expected(name: str) -> None:
    with pytest.raises(PolicyError, match="openai, anthropic, gemini"):
        resolve_client(name)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_missing_package_is_said_when_a_client_is_made(
    provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = {"openai": "openai", "anthropic": "anthropic", "gemini": "google.genai"}[provider]
    monkeypatch.setitem(sys.modules, package, None)
    if provider == "gemini":
        monkeypatch.delattr("google.genai", raising=False)
    with pytest.raises(MissingExtraError) as raised:
        resolve_client(f"{provider}:m")
    assert raised.value.extra == provider


@pytest.mark.parametrize("provider", PROVIDERS)
def test_without_a_key_the_error_is_permanent_and_no_crash(provider: str) -> None:
    with pytest.raises(SummarizerError) as raised:
        resolve_client(f"{provider}:m").complete(ASKED)
    assert raised.value.permanent


def test_importing_the_clients_loads_no_providers_package() -> None:
    script = (
        "import sys, clew.clients; "
        "print(sorted({'openai', 'anthropic', 'google.genai'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("headers", "message", "seconds"),
    [
        ({"Retry-After": "12"}, "", 12.0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, "", 1.5),
        ({}, '{"retryDelay": "31s"}', 31.0),
        ({"Retry-After": "soon"}, "", None),
        ({"Retry-After": "-4"}, "", None),
        ({}, "", None),
    ],
)
def test_the_wait_is_read_in_every_form(
    headers: dict[str, str], message: str, seconds: float | None
) -> None:
    assert retry_after_seconds(headers, message) == seconds


def test_a_date_to_wait_for_becomes_seconds() -> None:
    later = formatdate(time.time() + 90, usegmt=True)
    assert retry_after_seconds({"Retry-After": later}) == pytest.approx(90, abs=3)


def test_a_message_is_one_short_line_without_keys() -> None:
    assert shown("bad key\nAIzaSyA-1234567890abcdef  given") == "bad key [key] given"
    assert len(shown("x" * 5_000)) == 301
