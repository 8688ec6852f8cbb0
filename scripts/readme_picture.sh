#!/usr/bin/env bash
# Draws the picture of the README anew: the demo's own sawtooth.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
clew demo --out "$work" >/dev/null
mkdir -p docs/img
cp "$work/sawtooth.svg" docs/img/sawtooth.svg
