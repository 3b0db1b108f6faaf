#!/usr/bin/env bash
# Builds one archive, FOLDER.tar.xz, that tests and measures Cuprum on a machine with an NVIDIA GPU. That
# machine needs the driver and NVRTC, but no Rust and no network. The executables have most of their code
# in common, which xz finds where they are packed one after the other.
set -euo pipefail
folder=${1:?usage: bundle.sh FOLDER}
archive=$folder.tar.xz
limit=$((60 << 20))

rm -rf "$folder"
mkdir -p "$folder"

# The executables that a cargo command builds for a package, stripped; NAME-tests or NAME-bench after what
# they come from.
add() {
    local kind=$1 package=$2
    shift 2
    cargo "$@" --release --locked --package "cuprum-$package" --no-run --message-format=json |
        sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' |
        while read -r executable; do
            name=$(basename "$executable")
            strip -o "$folder/${name%-*}-$kind" "$executable"
        done
}

add tests runtime test --lib
add tests column test --lib --tests
add bench runtime test --bench primitives
add bench column test --bench null_mask
for part in elements times text keys elementwise aggregate relational lists windows; do
    add tests "$part" test --lib
done
add tests compute test --test nested_keys
add bench compute test --bench families
# Not among the benchmarks of `run.sh bench`: it has arguments of its own.
add launch compute test --bench launching
[ ! -d python/cuprum/kernels ] || cp -r python/cuprum/kernels "$folder/kernels"
cp "$(dirname "$0")/run.sh" "$(dirname "$0")/nvrtc.sh" "$folder"
git describe --always --dirty > "$folder/commit" 2>/dev/null || echo unknown > "$folder/commit"

# The dictionary holds all of them.
XZ_OPT="--lzma2=preset=6,dict=128MiB" tar --create --xz --file "$archive" \
    --directory "$(dirname "$folder")" "$(basename "$folder")"
size=$(stat -c %s "$archive")
echo "$archive: $((size >> 10)) KiB"
[ "$size" -lt "$limit" ] || { echo "larger than 60 MiB" >&2; exit 1; }
