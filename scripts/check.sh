#!/bin/sh
# Types, lint with import rules, dead code, lengths of files, generated files, known weaknesses of packages. Every part runs, so that one look shows all.
cd "$(dirname "$0")/.."
status=0
step() {
  printf '%s: ' "$1"
  shift
  if output=$("$@" 2>&1); then echo ok; else status=1; printf 'FAILED\n%s\n' "$output"; fi
}
step 'types' node_modules/.bin/tsc -p .
step 'types of the client, in browsers' node_modules/.bin/tsc -p sdk
step 'types of the treasure hunt, in browsers' node_modules/.bin/tsc -p examples/treasure-hunt
step 'types of the console, in browsers' node_modules/.bin/tsc -p web
step 'types of the converter, in browsers' node_modules/.bin/tsc -p usdz/browser
step 'lint, format, import rules' node_modules/.bin/biome check --error-on-warnings .
step 'dead code' node_modules/.bin/knip
step 'one version' node_modules/.bin/node scripts/version.ts --check
step 'what is installed' node_modules/.bin/node scripts/dependencies.ts
step 'openapi.json is up to date' node_modules/.bin/node scripts/openapi.ts --check
step 'sdk/generated is up to date' node_modules/.bin/node sdk/generate.ts --check
step 'sdk-csharp is up to date' node_modules/.bin/node sdk-csharp/generate.ts --check
step 'lengths of files and folders' node_modules/.bin/node scripts/lengths.ts
step 'words of the docs' node_modules/.bin/node scripts/words.ts
step 'docs/models.md and usdz/features.md are up to date' node_modules/.bin/node usdz/test/features/write-docs.ts --check
# Says itself how it went: that it could not ask is neither.
printf 'known weaknesses: '
node_modules/.bin/node scripts/weaknesses.ts || status=1
exit $status
