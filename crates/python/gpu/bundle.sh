#!/usr/bin/env bash
# Builds one archive, FOLDER.tar.xz, that runs the Python tests on a machine with an NVIDIA GPU: the
# extension, which every Python from 3.11 loads, the package and the tests. That machine needs the driver,
# NVRTC, and a Python with pytest, hypothesis, NumPy and pyarrow; pandas of the tests' version and what few
# tests want besides are carried for the version of Python that is named.
set -euo pipefail
folder=${1:?usage: bundle.sh FOLDER [PYTHON_VERSION]}
version=${2:-3.12}
archive=$folder.tar.xz
limit=$((60 << 20))

rm -rf "$folder"
mkdir -p "$folder/wheels"
cargo build --release --locked --package cuprum-python
cp -r python docs examples README.md pyproject.toml "$folder/"
find "$folder" -name __pycache__ -prune -exec rm -rf {} +
rm -f "$folder"/python/cuprum/*.so
strip -o "$folder/python/cuprum/_cuprum.abi3.so" target/release/lib_cuprum.so
mapfile -t packages < <(grep -hE '^(cramjam|fastavro|mmh3|pandas)==' requirements-build.txt requirements-dev.txt)
"${PYTHON:-.venv/bin/python}" -m pip download --quiet --no-deps --only-binary=:all: --implementation cp \
    --python-version "$version" --platform manylinux_2_28_x86_64 --platform manylinux_2_24_x86_64 \
    --platform manylinux_2_17_x86_64 --platform manylinux2014_x86_64 --dest "$folder/wheels" "${packages[@]}" tzdata
cp "$(dirname "$0")/run.sh" "$(dirname "$0")/../../runtime/gpu/nvrtc.sh" "$folder"
git describe --always --dirty > "$folder/commit" 2>/dev/null || echo unknown > "$folder/commit"

XZ_OPT="--lzma2=preset=6,dict=64MiB" tar --create --xz --file "$archive" \
    --directory "$(dirname "$folder")" "$(basename "$folder")"
size=$(stat -c %s "$archive")
echo "$archive: $((size >> 10)) KiB"
[ "$size" -lt "$limit" ] || { echo "larger than 60 MiB" >&2; exit 1; }
