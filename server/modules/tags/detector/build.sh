#!/bin/sh
# Builds april-tags.wasm from Debian's source package of AprilTag 3 with Debian's emscripten. Run it after a change of
# detector.c or of a version below, in Debian 12 with the packages emscripten and apriltag's sources (a deb-src line), and
# commit the results. The same sources and compiler give the same bytes.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
version=3.3.0
original=68ef6640f55aac6566ba8d030a4e7d960446d5b9340dfb61e79b9f92a08b1032
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

if [ $# -gt 0 ]; then cp "$1" apriltag.tar.gz
else
  apt-get source --download-only -qq apriltag="$version-1"
  mv "apriltag_$version.orig.tar.gz" apriltag.tar.gz
fi
echo "$original  apriltag.tar.gz" | sha256sum --check --quiet
tar xzf apriltag.tar.gz
cd "apriltag-$version"
cp "$here/detector.c" .

emcc -O3 -flto -I. -Icommon \
  detector.c apriltag.c apriltag_quad_thresh.c tag36h11.c \
  common/g2d.c common/homography.c common/image_u8.c common/image_u8x3.c common/matd.c common/pam.c common/pjpeg.c \
  common/pjpeg-idct.c common/pnm.c common/string_util.c common/svd22.c common/time_util.c common/unionfind.c \
  common/workerpool.c common/zarray.c common/zhash.c common/zmaxheap.c common/image_u8x4.c \
  --no-entry -s STANDALONE_WASM=1 -s FILESYSTEM=0 -s ALLOW_MEMORY_GROWTH=1 -s INITIAL_MEMORY=33554432 \
  -s MAXIMUM_MEMORY=1073741824 -s TOTAL_STACK=8388608 \
  -o april-tags.wasm

cp april-tags.wasm "$here/april-tags.wasm"
cp LICENSE.md "$here/LICENSE.md"
cd "$here"
sha256sum april-tags.wasm detector.c > SHA256SUMS
