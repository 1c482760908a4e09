#!/bin/sh
# Installs what package-lock.json names, once for each of its versions, and checks that the pinned Node is there.
set -eu
cd "$(dirname "$0")/.."
stamp=node_modules/.installed-lock.json
if ! cmp -s package-lock.json "$stamp"; then
  echo "Installing packages (once) ..." >&2
  # Not "npm ci": the lock file may lack the optional packages of other platforms. --no-save leaves it as it is.
  npm install --no-save --no-audit --no-fund --loglevel=error >&2
  cp package-lock.json "$stamp"
fi
if ! node_modules/.bin/node --version >/dev/null 2>&1; then
  rm -f "$stamp"
  echo "The pinned Node did not install: npm must be allowed to run the install script of the package 'node' (is ignore-scripts set?)." >&2
  exit 1
fi
