#!/bin/sh
# Types, lint with import rules, dead code, generated files. Every part runs, so that one look shows all.
cd "$(dirname "$0")/.."
status=0
step() {
  printf '%s: ' "$1"
  shift
  if output=$("$@" 2>&1); then echo ok; else status=1; printf 'FAILED\n%s\n' "$output"; fi
}
step 'types' node_modules/.bin/tsc -p .
step 'lint, format, import rules' node_modules/.bin/biome check --error-on-warnings .
step 'dead code' node_modules/.bin/knip
step 'openapi.json is up to date' node_modules/.bin/node scripts/openapi.ts --check
step 'docs/models.md is up to date' node_modules/.bin/node usdz/test/features/write-docs.ts --check
exit $status
