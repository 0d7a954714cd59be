# Shared by ./hw, ./hw-test and the scripts beside this file: installing what is missing, and building.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf 'hw: %s\n' "$*" >&2; }

die() {
  say "$*"
  exit 1
}

# install_packages NAME…: apt-get what is missing, saying so; silent when nothing is.
install_packages() {
  local missing=() name
  command -v dpkg-query >/dev/null 2>&1 || {
    say "not a Debian-like system: please provide $* yourself"
    return 0
  }
  for name in "$@"; do
    [ "$(dpkg-query -W -f='${Status}' "$name" 2>/dev/null)" = 'install ok installed' ] || missing+=("$name")
  done
  [ ${#missing[@]} -gt 0 ] || return 0

  local as_root=()
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null 2>&1 || die "missing packages, and neither root nor sudo: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  say "installing ${missing[*]}"
  local log
  log=$(mktemp)
  if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}" >"$log" 2>&1; then
    # The package lists may be missing or old.
    "${as_root[@]}" apt-get update >"$log" 2>&1 || { cat "$log" >&2; die 'apt-get update failed'; }
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}" >"$log" 2>&1 ||
      { cat "$log" >&2; die 'apt-get install failed'; }
  fi
  rm -f "$log"
}

build_packages=(g++ cmake ninja-build libcli11-dev nlohmann-json3-dev libfmt-dev libspdlog-dev)
test_packages=(catch2 python3 python3-jsonschema git)

# build PRESET [TARGET…]: configures once, builds, and shows the log only when something fails.
build() {
  local preset=$1 log
  shift
  log=$root/build/$preset.log
  mkdir -p "$root/build"
  cd "$root" || exit 1
  if [ ! -e "build/$preset/build.ninja" ]; then
    cmake --preset "$preset" -G Ninja >"$log" 2>&1 || { cat "$log" >&2; die "configuring failed (build/$preset.log)"; }
  fi
  cmake --build "build/$preset" ${1:+--target "$@"} >"$log" 2>&1 ||
    { grep -E 'error|FAILED|warning' "$log" >&2 || tail -40 "$log" >&2; die "building failed (build/$preset.log)"; }
}
