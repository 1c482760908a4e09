#!/bin/sh
# Runs Cairn with the Node beside this file. Without a command it serves.
set -eu
here=$(dirname "$(readlink -f "$0")")
[ $# -gt 0 ] || set -- serve
exec "$here/bin/node" "$here/node_modules/cairn-server/bin/cairn.cjs" "$@"
