#!/bin/sh
# Compiles the client with Mono's compiler, warnings as errors: sh sdk-csharp/compile.sh FOLDER
# The parts for Unity are compiled against declarations of the types that they use.
set -e
cd "$(dirname "$0")"
options='-langversion:7.2 -warnaserror+ -warn:4 -nowarn:1573 -target:library'
mcs $options -r:System.Net.Http.dll -doc:"$1/Cairn.xml" -out:"$1/Cairn.dll" package/Runtime/*.cs package/Runtime/*/*.cs
mcs $options -out:"$1/UnityEngine.dll" test/unity-shim/*.cs
mcs $options -r:"$1/Cairn.dll" -r:"$1/UnityEngine.dll" -doc:"$1/Cairn.Unity.xml" -out:"$1/Cairn.Unity.dll" package/Unity/*.cs package/Unity/*/*.cs
mcs $options -define:UNITY_WEBGL -r:"$1/Cairn.dll" -r:"$1/UnityEngine.dll" -out:"$1/Cairn.Unity.WebGL.dll" package/Unity/*.cs package/Unity/*/*.cs
mcs $options -r:"$1/Cairn.dll" -r:"$1/Cairn.Unity.dll" -r:"$1/UnityEngine.dll" -out:"$1/Samples.dll" package/Samples~/*/*.cs
# With glTFast, the sample of a placed model loads it.
mcs $options -define:CAIRN_GLTFAST -r:"$1/Cairn.dll" -r:"$1/Cairn.Unity.dll" -r:"$1/UnityEngine.dll" -out:"$1/SamplesWithGltFast.dll" package/Samples~/*/*.cs
