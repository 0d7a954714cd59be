#!/usr/bin/env bash
# Installs into a fresh folder, builds the caller against what was installed, and checks what it prints.
# run.sh BUILD_DIR SOURCE_DIR CXX_COMPILER
set -euo pipefail
build=$1 source=$2 compiler=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/prefix" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
# The sanitizer build's library needs its caller built with the same flags.
flags=$(grep '^HWADVISOR_SANITIZE:BOOL=ON' "$build/CMakeCache.txt" >/dev/null && echo '-fsanitize=address,undefined' || true)
cmake -G Ninja -S "$source/tests/postinstall" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS="$flags" >>"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
cmake --build "$work/build" >>"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
printed=$("$work/build/caller")
# 32 layers x 8 KV heads x (128 + 128) x 131,072 tokens x 2 bytes
[ "$printed" = 17179869184 ] || { echo "the caller printed '$printed', not 17179869184"; exit 1; }
version=$("$work/prefix/bin/hwadvisor" --version)
case $version in hwadvisor\ *) ;; *) echo "unexpected version line: $version"; exit 1 ;; esac
