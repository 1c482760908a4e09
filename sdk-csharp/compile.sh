#!/bin/sh
# Compiles the client with Mono's compiler, warnings as errors: sh sdk-csharp/compile.sh FOLDER
set -e
cd "$(dirname "$0")"
mcs -langversion:7.2 -warnaserror+ -warn:4 -nowarn:1573 -target:library -r:System.Net.Http.dll -doc:"$1/Cairn.xml" -out:"$1/Cairn.dll" Runtime/*.cs Runtime/Generated/*.cs
