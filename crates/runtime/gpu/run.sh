#!/usr/bin/env bash
# Tests or measures Cuprum on this machine's NVIDIA GPUs; see docs/develop/gpu.md. A table comes last.
set -euo pipefail
cd "$(dirname "$0")"

. ./nvrtc.sh
export CUPRUM_DEVICE=${CUPRUM_DEVICE:-cpu}  # tests and benchmarks name the devices that they are about
export CUPRUM_CACHE_DIR=${CUPRUM_CACHE_DIR:-$PWD/cache}

nvidia-smi --query-gpu=index,name,driver_version,memory.total --format=csv ||
    { echo "no NVIDIA driver on this machine" >&2; exit 1; }
echo "commit $(cat commit), $(date -u +%F), NVRTC: ${CUPRUM_NVRTC:-found by the loader}"

case "${1:-}" in
    test) shift; for tests in ./*-tests; do "$tests" "$@"; done ;;
    bench) shift; for bench in ./*-bench; do "$bench" "$@"; done ;;
    launch)
        # Compiled, then from the cache, then shipped, where the bundle has machine code.
        shift; device=${1:-cuda:0}; empty=$(mktemp -d)
        CUPRUM_CACHE_DIR=$empty ./*-launch "$device"
        CUPRUM_CACHE_DIR=$empty ./*-launch "$device"
        [ ! -d kernels ] || CUPRUM_CACHE_DIR=$(mktemp -d) ./*-launch "$device" kernels
        rm -rf "$empty" ;;
    *) echo "usage: run.sh test|bench|launch [arguments]" >&2; exit 2 ;;
esac
