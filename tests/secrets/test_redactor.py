"""Secrets of many kinds are replaced, what only looks like one stays, and it is quick."""

from __future__ import annotations

import base64
import json
import time
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.secrets import ReversibleRedactor, SecretRedactor, placeholder
from tests.conftest import shared_path

# Whoever scans this repository for keys should find none, so each is put together here.
MIXED = "4f9Qm2Xc81LrTz07PpWd3KsBn6Va5Ye"
HEX = "9b1c4e7a2d5f8036"
LONG = MIXED * 4
PEM_BEGIN, PEM_END = "-----BEGIN RSA " + "PRIVATE KEY-----", "-----END RSA " + "PRIVATE KEY-----"
BODY = [(LONG * 2)[i : i + 64] for i in range(0, 192, 64)]


def jwt() -> str:
    def part(value: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    return ".".join((part({"alg": "HS256"}), part({"sub": "1234567890"}), MIXED + "-_x"))


TOKENS = [
    ("aws-key", "AKIA" + "IOSFODNN7EXAMPLE"),
    ("aws-key", "ASIA" + "IOSFODNN7EXAMPLE"),
    ("github-token", "ghp_" + "a8" * 18),
    ("github-token", "ghs_" + "Zk4" * 12),
    ("github-token", "github_pat_" + MIXED + "_" + MIXED),
    ("gitlab-token", "glpat-" + "xY9" * 7),
    ("slack-token", "xoxb-" + "123456789012-1234567890123-" + MIXED[:24]),
    ("anthropic-key", "sk-ant-" + "api03-" + LONG[:86] + "AA"),
    ("api-key", "sk-" + "proj-" + MIXED + MIXED),
    ("api-key", "sk-" + MIXED[:20] + "T3BlbkFJ" + MIXED[:20]),
    ("google-key", "AIza" + "Sy" + LONG[:33]),
    ("live-token", "tok_" + "live_" + MIXED[:20]),
    ("live-token", "sk_" + "live_" + MIXED[:24]),
    ("live-token", "rk_" + "live_" + MIXED[:24]),
    ("huggingface-token", "hf_" + LONG[:34]),
    ("npm-token", "npm_" + LONG[:36]),
    ("pypi-token", "pypi-" + "AgEIcHlwaS5vcmc" + LONG[:80]),
    ("sendgrid-key", "SG." + LONG[:22] + "." + LONG[:43]),
    ("jwt", jwt()),
    ("telegram-token", "1234567890:" + "AA" + LONG[:33]),
    ("mailchimp-key", HEX * 2 + "-us12"),
    ("square-key", "sq0csp-" + LONG[:43]),
    ("artifactory-key", "AKC" + MIXED + MIXED),
    ("discord-token", "M" + MIXED[:23] + "." + MIXED[:6] + "." + MIXED[:27]),
]


@pytest.mark.parametrize(("kind", "token"), TOKENS, ids=[t[:9] for _, t in TOKENS])
@pytest.mark.parametrize(
    "around",
    [
        "found {} in the log",
        "{}",
        '{{"value": "{}"}}',
        "line one\\n{}\\nline three",
        "Übersicht 😀 {} ende",
    ],
)
def test_a_token_is_replaced_wherever_it_stands(kind: str, token: str, around: str) -> None:
    redacted = SecretRedactor().redact(around.format(token))
    assert token not in redacted
    assert token[8:-4] not in redacted
    assert redacted == around.format(placeholder(kind, token))


@pytest.mark.parametrize(
    ("text", "secret", "rest"),
    [
        ("DB_URL=postgres://svc:Zq7-winter@db.internal:5432/stock", "Zq7-winter",
         ("postgres://svc:", "@db.internal:5432/stock")),
        ("redis://:s3cr3tPass@cache:6379/0", "s3cr3tPass", ("redis://:", "@cache:6379/0")),
        ("mongodb+srv://app:Tr0ub4dor&3@c0.mongodb.net/x?w=1", "Tr0ub4dor&3", ("mongodb.net",)),
        ("PASSWORD=hunter", "hunter", ("PASSWORD=",)),
        ("export DB_PASSWORD='correct horse'", "correct horse", ("export DB_PASSWORD=",)),
        ("password: Zq7winter", "Zq7winter", ("password: ",)),
        ('{"user": "ann", "password": "p@ss-word!"}', "p@ss-word!", ('"user": "ann"',)),
        ('{\\"password\\": \\"Zq7winter\\"}', "Zq7winter", ('{\\"password\\": \\"',)),
        ("Server=db;User Id=sa;Pwd=Zq7winter;Database=stock", "Zq7winter", ("Database=stock",)),
        (f"API_TOKEN={MIXED}\nBUILD=2291", MIXED, ("API_TOKEN=", "\nBUILD=2291")),
        (f"token: {MIXED}", MIXED, ("token: ",)),
        (f"aws_secret_access_key = {MIXED}abcdefghi", MIXED, ("aws_secret_access_key = ",)),
        (f'client_secret="{MIXED}"', MIXED, ("client_secret=",)),
        (f"x-api-key: {HEX}{HEX}", HEX, ("x-api-key: ",)),
        (f"Authorization: Bearer {MIXED}", MIXED, ("Authorization: Bearer ",)),
        (f"curl -H 'Authorization: Basic {MIXED}=='", MIXED, ("curl -H 'Authorization: Basic ",)),
        ("curl -s -u admin:Zq7winter https://x.example", "Zq7winter", ("https://x.example",)),
        (f"deploy --token {MIXED} --dry-run", MIXED, ("deploy --token ", " --dry-run")),
        (f"AccountName=a;AccountKey={LONG[:86]}==;Suffix=x", LONG[:80], ("AccountName=a;",)),
        (f"//registry.example/:_authToken=npm_{LONG[:36]}", LONG[:36], ("_authToken=",)),
        ("https://hooks.slack.com/services/T000/B000/" + MIXED, MIXED, ("hooks.slack.com",)),
    ],
)  # fmt: skip
def test_a_value_that_its_name_gives_away_is_replaced_and_its_neighbours_stay(
    text: str, secret: str, rest: tuple[str, ...]
) -> None:
    redacted = SecretRedactor().redact(text)
    assert secret not in redacted
    assert "[secret:" in redacted
    assert all(piece in redacted for piece in rest)


@pytest.mark.parametrize(
    "written",
    [
        "\n".join((PEM_BEGIN, *BODY, PEM_END)),
        "\\n".join((PEM_BEGIN, *BODY, PEM_END)),
        "\r\n".join((PEM_BEGIN, *BODY, PEM_END)),
        "\n".join(f"    {n}→{line}" for n, line in enumerate((PEM_BEGIN, *BODY, PEM_END), 1)),
        "\n".join(f"+{line}" for line in (PEM_BEGIN, *BODY, PEM_END)),
        "\n".join((PEM_BEGIN, "Proc-Type: 4,ENCRYPTED", "", *BODY, PEM_END)),
        "\n".join((PEM_BEGIN, *BODY)),
    ],
    ids=["plain", "escaped", "crlf", "numbered", "diff", "headers", "cut off"],
)
def test_a_private_key_goes_with_all_its_lines(written: str) -> None:
    redacted = SecretRedactor().redact(f"before\n{written}\n10:00 INFO after\n")
    assert not any(line in redacted for line in BODY)
    assert "[secret:private-key:" in redacted
    assert redacted.startswith("before\n")
    assert redacted.endswith("\n10:00 INFO after\n")


def test_prose_behind_the_mark_of_a_key_stays() -> None:
    text = f"{PEM_BEGIN} is how it begins.\nThe rest of this page has to stay.\n{PEM_END}"
    assert "The rest of this page has to stay." in SecretRedactor().redact(text)


@pytest.mark.parametrize(
    "text",
    [
        "commit 3f2a9c17b8e04d5566778899aabbccddeeff0011",
        "sha256:" + sha256(b"x").hexdigest(),
        '"id": "6ba7b810-9dad-11d1-80b4-00c04fd430c8"',
        "data:image/png;base64," + base64.b64encode(bytes(range(256)) * 30).decode(),
        "//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJmaWxlIjoiYS5qcyJ9",
        "token = get_token()",
        "token: str | None = None",
        "token = self.settings.request_token2",
        'token = os.environ["API_TOKEN"]',
        "password = getpass.getpass()",
        "def login(user: str, password: str) -> None:",
        '<input type="password" name="password" placeholder="Password">',
        "max_tokens=4096, tokens: 1234567890123456789",
        '"token_count": 1234567890123456',
        "password: must contain at least eight characters",
        "PWD=/home/user1/project2\nOLDPWD=/tmp/x9",
        "DB_PASSWORD=${DB_PASSWORD}\nAPI_TOKEN=<your token here>\nSECRET=changeme",
        "postgres://user:password@localhost/db",
        "postgres://user:${DB_PASS}@localhost/db",
        "git@github.com:team/project.git and ann@mail.example",
        "https://site.example:8080/@scope/name@1.2.3",
        'if key == "api" and secret is not None: pass',
        "api_key = settings.API_KEY_V22",
        "sk-learn-contrib-package-name and sk-spinner-bounce-delay-animation",
        "from tokenizers import Tokenizer  # token: the unit of text",
        "https://docs.example/authorization/basic-concepts-and-guides-2024-06",
        "test_a_very_long_name_of_a_function_with_number_12345",
        "PASS tests/test_login.py 12 passed",
        "The secret: never give up on a12b.",
    ],
)
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    assert SecretRedactor().redact(text) is text


def test_the_staging_audit_keeps_its_useful_neighbours() -> None:
    case = json.loads(
        shared_path("cases", "22-secret-and-injected-text-in-handoff.json").read_text("utf-8")
    )
    text = json.dumps(case["messages"])
    for mark, pieces in case["fill"].items():
        text = text.replace(mark, "".join(pieces))
    redacted = SecretRedactor().redact(text)
    for secret in ("Zq7-winter-Lamp", "tok_live_4f9Qm2Xc81LrTz07PpWd", "MHcCAQEEIEXAMPLE"):
        assert secret not in redacted
    for neighbour in ("db.example.internal:5432/stock", "BUILD=2291", "svc_audit", "512 MB"):
        assert neighbour in redacted
    assert len(redacted) > 0.95 * len(text)
    assert json.loads(redacted)


def test_one_value_has_one_placeholder_and_another_value_another() -> None:
    first, second = TOKENS[0][1], TOKENS[1][1]
    redacted = SecretRedactor().redact(f"{first} {second} {first}").split()
    assert redacted[0] == redacted[2] != redacted[1]
    assert SecretRedactor(key="of this store").redact(first) != redacted[0]


def test_a_password_shows_too_few_bits_to_be_confirmed_by_a_word_list() -> None:
    mark = SecretRedactor().redact("password: Zq7winter").removeprefix("password: ")
    assert mark == placeholder("password", "Zq7winter", chosen=True)
    assert len(mark) == len("[secret:password:]") + 3


def test_only_the_reversible_redactor_gives_values_back() -> None:
    text = f"API_TOKEN={MIXED}\npostgres://svc:Zq7-winter@db/stock {TOKENS[0][1]}"
    redactor = ReversibleRedactor()
    redacted = redactor.redact(text)
    assert redacted == SecretRedactor().redact(text)
    assert redactor.restore(redacted) == text
    assert ReversibleRedactor().restore(redacted) == redacted


# Pieces that make secrets likely, so that their neighbourhood is searched too.
PIECES = st.one_of(
    st.text(max_size=30),
    st.sampled_from([token for _, token in TOKENS]),
    st.sampled_from(
        ["password=", "token: ", "'", '"', "\n", " ", "\\n", "@", "://a:", PEM_BEGIN, PEM_END,
         *BODY, "[secret:", "]", "Bearer ", "api_key=", "curl -u a:", "Zq7winter", "$", "AC", "="]
    ),
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=12).map("".join)


@given(TEXTS)
def test_redacting_twice_is_redacting_once(text: str) -> None:
    once = SecretRedactor().redact(text)
    assert SecretRedactor().redact(once) == once


@given(TEXTS)
def test_two_redactors_agree(text: str) -> None:
    assert SecretRedactor().redact(text) == SecretRedactor().redact(text)


@given(TEXTS)
def test_what_was_replaced_can_be_put_back_by_who_kept_it(text: str) -> None:
    redactor = ReversibleRedactor()
    redacted = redactor.redact(text)
    if "[secret:" not in text:
        assert redactor.restore(redacted) == text


@given(st.text(alphabet="abcdefghij ABC.,;!?()\n", max_size=400))
def test_plain_text_is_the_very_object_that_came(text: str) -> None:
    assert SecretRedactor().redact(text) is text


SIZES = (40_000, 160_000)


@given(st.text(max_size=300), st.integers(1, 40))
def test_no_text_raises(text: str, times: int) -> None:
    assert isinstance(SecretRedactor().redact(text * times), str)


@pytest.mark.parametrize(
    "unit",
    ["key", "token=", "password:'", "eyJ", "eyJa.", "sk-", "sk-1", "://a:b", "@", "://",
     "-----BEGIN ", PEM_BEGIN, PEM_BEGIN + "\n", "a" * 31 + "-", "Bearer ", "authorization ",
     "curl ", "curl -u a:", "_", "AKIA", "\\n", "pass=[", "hooks.slack.com/services/T", "AA1",
     "//x/:_authToken="],
)  # fmt: skip
def test_a_hostile_repetition_takes_time_in_proportion_to_its_length(unit: str) -> None:
    redactor = SecretRedactor()
    short, long = (_cpu_seconds(redactor, unit * (size // len(unit))) for size in SIZES)
    # Four times the text; sixteen times the work would be a square. Clocks tick too coarsely below.
    assert long < 0.05 or long < 10 * short


def _cpu_seconds(redactor: SecretRedactor, text: str) -> float:
    """The least of three: another program on the machine is no part of the work."""
    times: list[float] = []
    for _ in range(3):
        started = time.process_time()
        redactor.redact(text)
        times.append(time.process_time() - started)
    return min(times)


def test_a_long_text_without_secrets_is_passed_in_milliseconds() -> None:
    line = "The quick brown fox jumps over the lazy dog and writes line 17 of its report.\n"
    text = line * (480_000 // len(line))
    redactor = SecretRedactor()
    times: list[float] = []
    for _ in range(7):
        started = time.process_time()
        assert redactor.redact(text) is text
        times.append(time.process_time() - started)
    # About 5 ms on a quiet machine; the bound leaves room for a busy one.
    assert min(times) < 0.040
