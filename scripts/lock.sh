#!/usr/bin/env bash
# Writes the locked, hashed requirements from pyproject.toml, with no index address in them.
set -euo pipefail
cd "$(dirname "$0")/.."

lock() {
  uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes \
    --no-emit-index-url --no-header --no-annotate --output-file "$@"
}

lock requirements/runtime.txt
lock requirements/dev.txt --all-extras --group dev

# No dependencies: one of these packages would build a second model runtime from source.
uv pip compile --group pyproject.toml:livellm --no-deps --quiet --universal --python-version 3.11 \
  --generate-hashes --no-emit-index-url --no-header --no-annotate \
  --output-file requirements/livellm.txt

lock bench/requirements.txt bench/requirements.in
