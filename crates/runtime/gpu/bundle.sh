#!/usr/bin/env bash
# Builds one folder that tests and measures Cuprum on a machine with an NVIDIA GPU. That machine needs
# the driver and NVRTC, but no Rust and no network.
set -euo pipefail
folder=${1:?usage: bundle.sh FOLDER}
limit=$((60 << 20))

# The path of the executable that a cargo command builds for cuprum-runtime.
executable() {
    cargo "$@" --release --locked --package cuprum-runtime --no-run --message-format=json |
        sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | tail -n 1
}

tests=$(executable test --lib)
bench=$(executable test --bench primitives)
rm -rf "$folder"
mkdir -p "$folder"
strip -o "$folder/runtime-tests" "$tests"
strip -o "$folder/primitives-bench" "$bench"
cp "$(dirname "$0")/run.sh" "$folder/run.sh"
git describe --always --dirty > "$folder/commit" 2>/dev/null || echo unknown > "$folder/commit"

size=$(du -sb "$folder" | cut -f 1)
echo "$folder: $((size >> 10)) KiB"
[ "$size" -lt "$limit" ] || { echo "larger than 60 MiB" >&2; exit 1; }
