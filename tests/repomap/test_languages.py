"""One small program in each language: what the map sees of it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from clew.repomap import LANGUAGES, Language, Outline
from clew.repomap.languages import FUNCTION, GROUP, language_of
from clew.repomap.parsing import MOST_SECONDS, SIGNATURE_CHARS, outline_of

SAMPLES = Path(__file__).parent / "samples"

EXPECTED = {
    "python/shop.py": [
        "LIMIT | LIMIT: int",
        "Basket | class Basket",
        "Basket.add | def add(self, name: str, *, price: Decimal = Decimal(1)) -> None",
        "Basket.total | def total(self) -> Decimal",
        "checkout | def checkout(basket: Basket) -> Decimal",
    ],
    "javascript/shop.js": [
        "LIMIT | LIMIT",
        "Basket | class Basket extends Till",
        "Basket.add | add(name, price = 1)",
        "checkout | function checkout(basket)",
        "later | later = async (basket) =>",
        "close | module.exports.close = function (till)",
    ],
    "typescript/shop.ts": [
        "Priced | interface Priced",
        "Priced.tax | tax(rate: number): number",
        "Line | type Line",
        "State | enum State",
        "Basket | abstract class Basket<T extends Priced> extends Till",
        "Basket.add | add(line: T): void",
        "Basket.close | abstract close(): State",
        "checkout | function checkout(basket: Basket<Priced>): number",
        "Later | namespace Later",
        "Later.settle | function settle(line: Line): void",
    ],
    "go/shop.go": [
        "Limit | Limit",
        "Basket | Basket struct",
        "Priced | Priced interface",
        "Priced.Price | Price(rate int) (int, error)",
        "Basket.Add | func (b *Basket) Add(name string) error",
        "Checkout | func Checkout(b *Basket) error",
    ],
    "rust/shop.rs": [
        "LIMIT | pub const LIMIT: u8",
        "Basket | pub struct Basket<T>",
        "Priced | pub trait Priced",
        "Priced.price | fn price(&self, rate: u8) -> u8",
        "Basket | impl<T: Priced> Basket<T>",
        "Basket.add | pub fn add(&mut self, line: T) -> bool",
        "checkout | pub fn checkout<T>(basket: &Basket<T>) -> bool where T: Priced",
    ],
    "java/Shop.java": [
        "Shop | public class Shop<T> extends Till implements Priced",
        "Shop.Shop | public Shop(int limit)",
        "Shop.price | @Override public int price(int rate) throws Exception",
        "Shop.checkout | int checkout(int rate)",
        "Shop.Line | interface Line",
        "Shop.Line.close | void close()",
    ],
    "c/shop.c": [
        "LIMIT | #define LIMIT",
        "TWICE | #define TWICE(x)",
        "basket | struct basket",
        "line_t | typedef struct { int price; } line_t",
        "checkout | static int checkout(struct basket *basket)",
        "name_of | char *name_of(line_t *line)",
        "name_of | char *name_of(line_t *line)",
    ],
    "cpp/shop.cpp": [
        "shop | namespace shop",
        "shop.Basket | class Basket : public Till",
        "shop.Basket.Basket | explicit Basket(int limit)",
        "shop.Basket.add | int add(const Line& line) const",
        "shop.Basket.largest | T largest(T first)",
        "shop.Basket.close | int shop::Basket::close(int rate)",
        "checkout | T checkout(const T& basket)",
        "Lines | using Lines",
    ],
    "ruby/shop.rb": [
        "Shop | module Shop",
        "Shop.LIMIT | LIMIT",
        "Shop.Basket | class Basket < Till",
        "Shop.Basket.add | def add(name, price = 1)",
        "Shop.Basket.empty | def self.empty; end",
    ],
}


def outline(path: str, source: bytes | None = None) -> Outline:
    language = language_of(path)
    assert language is not None
    return outline_of((SAMPLES / path).read_bytes() if source is None else source, language)


@pytest.mark.parametrize("path", EXPECTED)
def test_symbols_stand_in_source_order_with_their_signatures(path: str) -> None:
    seen = outline(path)
    assert [f"{s.qualified} | {s.signature}" for s in seen.symbols] == EXPECTED[path]
    assert not seen.broken


@pytest.mark.parametrize("path", [path for path in EXPECTED if "ruby" not in path])
def test_a_file_that_imports_the_till_knows_the_till(path: str) -> None:
    words = {word.lower() for word in outline(path).imports}
    assert ("decimal" if path.startswith("python") else "till") in words or path.startswith("rust")


@pytest.mark.parametrize(
    ("path", "holder", "name"),
    [
        ("python/shop.py", "Basket.total", "checkout"),
        ("javascript/shop.js", "Basket.add", "checkout"),
        ("typescript/shop.ts", "Basket.add", "checkout"),
        ("go/shop.go", "Basket.Add", "Checkout"),
        ("rust/shop.rs", "Basket.add", "checkout"),
        ("java/Shop.java", "Shop.price", "checkout"),
        ("c/shop.c", "checkout", "TWICE"),
        ("cpp/shop.cpp", "shop.Basket.add", "checkout"),
        ("ruby/shop.rb", "Shop.Basket.add", "checkout"),
    ],
)
def test_a_use_belongs_to_the_symbol_it_stands_in(path: str, holder: str, name: str) -> None:
    seen = outline(path)
    held = {(seen.symbols[use.holder].qualified, use.name) for use in seen.uses if use.holder >= 0}
    assert (holder, name) in held


def test_a_function_inside_a_function_is_nobody_elses_business() -> None:
    seen = outline("python/shop.py")
    assert "local" not in {symbol.name for symbol in seen.symbols}
    assert all(seen.symbols[s.parent].kind != FUNCTION for s in seen.symbols if s.parent >= 0)


@pytest.mark.parametrize("path", EXPECTED)
def test_a_syntax_error_costs_the_broken_part_alone(path: str) -> None:
    source = (SAMPLES / path).read_bytes()
    first = outline(path).symbols[0].name
    seen = outline(path, source + b"\n\n)]} <<<<<<< \xff\xfe (((\n")
    assert seen.broken
    assert first in {symbol.name for symbol in seen.symbols}


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda row: row.grammar)
def test_every_row_of_the_table_has_queries_its_grammar_takes(language: Language) -> None:
    for source in (b"", b"\x00\xff", b"a{" * 200):
        assert outline_of(source, language).language == language.grammar


@pytest.mark.parametrize("source", [b"[(" * 30_000, b"(" * 60_000, b"def f(" * 20_000])
def test_a_file_made_to_be_slow_is_given_up(source: bytes) -> None:
    before = time.thread_time()
    outline("x.py", source)
    assert time.thread_time() - before < 2 * MOST_SECONDS


def test_a_signature_is_one_line_without_values_and_not_longer_than_its_bound() -> None:
    source = (
        b"KEY = 'sk-secret'\n\n\ndef f(\n    a,\n    b,\n): ...\n\n\ndef g("
        + b"a, " * 400
        + b"): ..."
    )
    seen = outline("x.py", source)
    assert [s.signature for s in seen.symbols[:2]] == ["KEY", "def f(a, b)"]
    assert len(seen.symbols[2].signature) == SIGNATURE_CHARS


def test_a_name_cannot_steer_a_terminal() -> None:
    seen = outline("x.py", "def caf\u00e9(\u202e, b='\x1b[31m'): ...".encode())
    assert all(symbol.signature.isprintable() for symbol in seen.symbols)


@pytest.mark.parametrize(
    ("path", "grammar"),
    [("a/b.PY", "python"), ("x.tsx", "tsx"), ("x.d.ts", "typescript"), ("x.h", "c")],
)
def test_the_suffix_names_the_language(path: str, grammar: str) -> None:
    language = language_of(path)
    assert language is not None
    assert language.grammar == grammar


@pytest.mark.parametrize("path", ["Makefile", ".py", "a.py/b", "x.unknown", ""])
def test_other_names_have_no_language(path: str) -> None:
    assert language_of(path) is None


def test_a_group_holds_symbols_and_is_none() -> None:
    kinds = {s.qualified: s.kind for s in outline("cpp/shop.cpp").symbols}
    assert kinds["shop"] == GROUP
    assert kinds["shop.Basket"] == "class"
